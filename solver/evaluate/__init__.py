"""The judge: best responses, exploitability and certificates."""
