#!/usr/bin/env bash
# Sends one event, or a batch {"events":[…]}, from standard input to Inlet's device connector, with openssl and curl:
#   WEBHOOK_URL=… DEVICE_ID=scale-7 DEVICE_KEY=whsec_… examples/device_client.sh < event.json
# To send it again, set WEBHOOK_ID to the same id as before: then nothing comes twice.
set -euo pipefail

BODY=$(mktemp)
trap 'rm -f "$BODY"' EXIT
cat > "$BODY"

ID=${WEBHOOK_ID:-$(openssl rand -hex 16)}
TIMESTAMP=$(date +%s)
# openssl takes the key as an argument, so other users of this machine could see it in the list of processes.
KEY=$(printf %s "${DEVICE_KEY#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
SIGNATURE=$({ printf '%s.%s.' "$ID" "$TIMESTAMP"; cat "$BODY"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)

curl --fail-with-body --silent --show-error "$WEBHOOK_URL" \
  -H 'content-type: application/json' \
  -H "x-device-id: $DEVICE_ID" \
  -H "webhook-id: $ID" \
  -H "webhook-timestamp: $TIMESTAMP" \
  -H "webhook-signature: v1,$SIGNATURE" \
  --data-binary "@$BODY"
