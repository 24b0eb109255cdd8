"""Lines of JSON for Schemathesis, which knows no serializer of its own for them."""
import schemathesis


@schemathesis.serializer("application/x-ndjson")
def ndjson(ctx, value):
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else str(value)).encode()
