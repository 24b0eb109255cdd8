"""Serializes newline-delimited JSON for Schemathesis, which has no serializer for it."""
import schemathesis


@schemathesis.serializer("application/x-ndjson")
def ndjson(ctx, value):
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else str(value)).encode()
