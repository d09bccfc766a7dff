"""Prints Inlet's events, with Debian's python3-pika or PyPI's pika: AMQP_URL=amqp://localhost python3 consumer.py"""
import json
import os

import pika

EXCHANGE = os.environ.get("AMQP_EXCHANGE", "inlet.events")
QUEUE = os.environ.get("QUEUE", "python-example")

connection = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"]))
channel = connection.channel()
channel.exchange_declare(EXCHANGE, "topic", durable=True)
channel.queue_declare(QUEUE, durable=True, arguments={"x-queue-type": "quorum"})
channel.queue_bind(QUEUE, EXCHANGE, routing_key="#")
channel.basic_qos(prefetch_count=10)
seen = set()


def handle(channel, method, properties, body):
    event = json.loads(body)  # A CloudEvent has id and type too, its payload in data.
    if event["id"] not in seen:  # A repeat has the same id.
        print(event["id"], event["type"], flush=True)
        seen.add(event["id"])
    channel.basic_ack(method.delivery_tag)


channel.basic_consume(QUEUE, handle)
try:
    channel.start_consuming()
except KeyboardInterrupt:
    connection.close()
