"""What schemathesis must learn about our media types."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines_of_json(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
