"""The service under load: latency and capacity, memory, kills, hours of it."""
