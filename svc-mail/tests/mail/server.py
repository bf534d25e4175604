"""A mail server for one test: says where it listens, and prints each message that it takes as a line of JSON."""
import email
import email.policy
import json
import sys
import time

from aiosmtpd.controller import Controller


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 no such mailbox"
        if address.startswith("later@"):
            return "451 try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        body = message.get_body(("plain",))
        files = [
            {"name": part.get_filename(), "type": part.get_content_type(), "bytes": list(part.get_content())}
            for part in message.iter_attachments()
        ]
        print(
            json.dumps(
                {
                    "id": message["Message-ID"],
                    "from": str(message["From"]),
                    "mailFrom": envelope.mail_from,
                    "recipients": envelope.rcpt_tos,
                    "subject": message["Subject"],
                    "text": body.get_content(),
                    "files": files,
                }
            ),
            flush=True,
        )
        return "250 taken"


controller = Controller(Handler(), hostname="127.0.0.1", port=int(sys.argv[1]))
controller.start()
print("ready", flush=True)
time.sleep(60)
