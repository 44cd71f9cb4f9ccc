"""Run folders of HELM."""
