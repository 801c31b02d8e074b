"""Headless Chromium over its debugging pipe, for tests of pages: keys, sizes, media."""
import base64
import fcntl
import json
import os
import shutil
import subprocess

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ("--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync --hide-scrollbars "
         "--disable-background-networking --disable-component-update --remote-debugging-pipe").split()
CODES = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
         "/": 191}


class Browser:
    """One tab. Commands go to file descriptor 3 of Chromium, answers come from 4, each ended by a zero byte."""

    def __init__(self, folder):
        ours_in, written = os.pipe()
        read, ours_out = os.pipe()
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (read, written)]
        # The child gets them as 3 and 4, through a shell.
        self.process = subprocess.Popen(
            ["bash", "-c", 'exec "$@" 3<&{} 4>&{}'.format(*theirs), "bash", BROWSER, *FLAGS,
             f"--user-data-dir={folder}/profile", "about:blank"],
            pass_fds=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (read, written, *theirs):
            os.close(end)
        self.out, self.answers = os.fdopen(ours_out, "wb", 0), os.fdopen(ours_in, "rb", 0)
        self.rest, self.number, self.session = b"", 0, None
        target = next(t for t in self.send("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]

    def close(self):
        self.session = None
        try:
            self.send("Browser.close")
        except (EOFError, BrokenPipeError):
            pass
        self.process.wait(timeout=30)
        self.out.close()
        self.answers.close()

    def read(self):
        while b"\0" not in self.rest:
            part = self.answers.read(65536)
            if not part:
                raise EOFError("the browser is gone")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.out.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise AssertionError((method, answer["error"]))
                return answer["result"]

    def open(self, path, width, height=900, **media):
        """Shows a page at a width; `media`: features such as prefers-color-scheme, with _ for -."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", media=media.pop("medium", ""), features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in media.items()])
        self.send("Page.enable")
        self.send("Page.navigate", url=path.resolve().as_uri())
        while self.read().get("method") != "Page.loadEventFired":
            pass

    def ask(self, expression):
        """The value of a JavaScript expression."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError((expression, answer["exceptionDetails"]))
        return answer["result"].get("value")

    def press(self, *keys):
        for key in keys:
            typed = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            common = {"key": key, "windowsVirtualKeyCode": CODES.get(key, ord(key[0].upper()))}
            self.send("Input.dispatchKeyEvent", type="keyDown", text=typed, **common)
            self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))
