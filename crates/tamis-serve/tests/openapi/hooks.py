"""How schemathesis writes the bodies that are neither JSON nor plain text."""

import json

import schemathesis


def lines(ctx, value):
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", errors="ignore")


schemathesis.serializer("application/x-ndjson")(lines)
schemathesis.serializer("text/html")(lines)
