"""How an engine multiplies narrow data, spreads work over devices and keeps compiled programs."""
