# Varnish before Pantry. Answers say themselves how long they may be kept and what they depend on. Varnish adds `Via`,
# by which Pantry knows that a cache asks.
vcl 4.1;

import std;

backend default {
  # The service of compose.yaml. Elsewhere its address, such as 127.0.0.1.
  .host = "pantry";
  .port = "8080";
  # Pantry sheds load by itself (503 with Retry-After). The first byte of what is stored comes within milliseconds.
  .first_byte_timeout = 30s;
  .probe = { .url = "/readyz"; .interval = 2s; .timeout = 1s; .window = 3; .threshold = 2; }
}

# Requests with a cookie or `Authorization` pass, as Varnish does by itself.

sub vcl_recv {
  # While the service is healthy, what is too old is asked for again before it is shown.
  if (std.healthy(req.backend_hint)) {
    set req.grace = 0s;
  }
}

sub vcl_backend_response {
  # While the service is not healthy, what is stored is shown for an hour more.
  set beresp.grace = 1h;
}
