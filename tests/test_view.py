#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`torsor view` and `torsor run --view`: over HTTP by hand, and in a real Chromium.

By hand: wrong tokens, hosts, origins, methods, parameters and malformed requests get nothing; no path gives a file; only 127.0.0.1
listens; a file deleted while open; a port in use; Ctrl-C. In Chromium: the model is drawn with its parts, axes, loads and supports;
saving the file changes the picture or shows the mistakes at their lines; names on hover, a tree, sliders; a run that is shown while it
computes, with pause, energies and channels, compared with `torsor run` of the same model; two browsers; 1400 and 390 pixels, light and
dark, without overflow or errors in the console."""
import contextlib
import http.client
import json
import math
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from program import PROGRAM, QUICK, ROOT, answer, torsor

HAVE_PAGE = (ROOT / "report/node_modules/playwright-core").is_dir() and shutil.which("node") is not None

MODEL = """torsor: 1
title: Arm with a rod
units: SI
gravity: [0, 0, -9.81]
parameters:
  L: 0.5 m
  twice: 2*L
points:
  tip: [L, 0, 0]
materials:
  steel: {E: 210 GPa, nu: 0.3, density: 7800}
sections:
  round: {type: circle, material: steel, diameter: 20 mm}
bodies:
  arm: {mass: 2, inertia: [0.01, 0.05, 0.05], position: [L/2, 0, 0], shape: box, size: [L, 0.05, 0.05]}
beams:
  rod: {section: round, from: tip, to: [twice, 0, 0], elements: 4, order: 1}
joints:
  hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: y}
  weld: {type: rigid, bodies: [arm, rod.start], at: tip}
loads:
  push: {type: force, body: arm, at: tip, force: [0, 0, 5]}
  twist: {type: moment, body: arm, moment: [0, 1, 0]}
analysis: {scheme: ED, step: 2 ms, end: 400 ms}
"""

# sends nothing for 4 s while the file $SLOW is there
SLOW_ANSWERS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
static void rest(void) { if (!access(getenv("SLOW"), F_OK)) sleep(4); }
ssize_t send(int to, const void *data, size_t size, int flags) {
    rest();
    return ((ssize_t (*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send"))(to, data, size, flags);
}
ssize_t sendmsg(int to, const struct msghdr *message, int flags) {
    rest();
    return ((ssize_t (*)(int, const struct msghdr *, int))dlsym(RTLD_NEXT, "sendmsg"))(to, message, flags);
}
"""


class Viewer:
    """The program with `view`, or with `run --view`."""

    def __init__(self, *words, environment=None, cwd=None):
        self.process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd,
                                        env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": "", **(environment or {})})
        self.address = None
        for line in self.process.stdout:
            if line.startswith("view: "):
                self.address = line.split()[1]
                break
        if self.address is None:
            raise AssertionError(f"torsor {words}: no address; {self.process.stderr.read()}")
        self.port, self.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address).groups()
        self.port = int(self.port)

    def end(self, number=signal.SIGINT):
        """Its exit code after the signal, which must end it at once."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            code = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.process.stdout.close()
            self.said = self.process.stderr.read()
            self.process.stderr.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process.poll() is None or not self.process.stdout.closed:
            self.end()

    def ask(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body=body, headers={"Host": f"127.0.0.1:{self.port}", **headers})
            response = connection.getresponse()
            return response.status, response.read(), response.headers
        finally:
            connection.close()

    def own(self, path, method="GET", **headers):
        return self.ask(f"/{self.token}/{path}", method, **headers)

    def poll(self, **seen):
        """One answer, decoded; without waiting unless everything was seen."""
        query = "&".join(f"{k}={v}" for k, v in seen.items())
        status, body, _ = self.own(f"poll?{query}")
        if status != 200:
            raise AssertionError(f"poll: {status}")
        length = struct.unpack("<I", body[:4])[0]
        head = json.loads(body[8:8 + length])
        numbers = struct.unpack(f"<{head['rows'] * head['width']}d", body[8 + length:8 + length + 8 * head["rows"] * head["width"]])
        pose = body[8 + length + 8 * head["rows"] * head["width"]:]
        if len(pose) != 28 * head["nodes"] + 4 * head["painted"]:
            raise AssertionError("the pose has another length")
        head["paint"] = struct.unpack(f"<{head['painted']}f", pose[28 * head["nodes"]:])
        head["samples"] = [numbers[i * head["width"]:(i + 1) * head["width"]] for i in range(head["rows"])]
        return head

    def state(self, good, seconds=12):
        """The state, as soon as it is good in the sense of the function."""
        end = time.time() + seconds
        while time.time() < end:
            state = self.poll()["state"]
            if state and good(state):
                return state
            time.sleep(0.05)
        raise AssertionError(f"the state does not come: {json.dumps(state)[:500]}")


class Browser:
    """A page in Chromium: report/test/view.mjs."""

    def __init__(self, address, folder):
        self.process = subprocess.Popen(["node", str(ROOT / "report/test/view.mjs"), address, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self("open")

    def __call__(self, *command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"{command}: the browser is gone")
        found = json.loads(line)
        if "failed" in found:
            raise AssertionError(found["failed"])
        return found["answer"]

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


@contextlib.contextmanager
def model_in_folder(text=MODEL):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "arm.yaml")
        path.write_text(text, encoding="utf-8")
        yield path


def mass_of(path, *words):
    return answer("check", path, *words)["model"]["mass"]


def drawn(state):
    return state["drawn"] is not None


class ByHand(unittest.TestCase):
    def test_who_gets_something(self):
        with model_in_folder() as path, Viewer("view", path, "--no-browser") as view:
            page = view.own("")
            self.assertEqual(page[0], 200)
            self.assertIn(b"torsor view", page[1])
            self.assertIn("frame-ancestors 'none'", page[2]["Content-Security-Policy"])
            self.assertEqual(page[2]["Cache-Control"], "no-store")
            self.assertNotIn("Access-Control-Allow-Origin", page[2])
            wrong = view.token[:-1] + ("0" if view.token[-1] != "0" else "1")
            for path_, code in [("/", 404), (f"/{wrong}/", 404), (f"/{view.token}", 404), (f"/{view.token}x/", 404), (f"/{view.token}/arm.yaml", 404),
                                (f"/{view.token}/../arm.yaml", 404), (f"/{view.token}/%2e%2e/arm.yaml", 404), ("//etc/passwd", 404), ("/etc/passwd", 404),
                                (f"/{view.token}/%2fetc%2fpasswd", 404), (f"/{view.token}/poll?state=-1", 400), (f"/{view.token}/poll?x=1", 400),
                                (f"/{view.token}/poll?state", 400), (f"/{view.token}/do?what=run", 405)]:
                status, body, _ = view.ask(path_)
                self.assertEqual(status, code, path_)
                self.assertNotIn(b"torsor: 1", body)
                self.assertNotIn(b"root:", body)
            own = f"/{view.token}/"
            for host in ("evil.example", f"evil.example:{view.port}", "127.0.0.1", f"127.0.0.1:{view.port + 1}", f"[::1]:{view.port}", ""):
                self.assertIn(view.ask(own, Host=host)[0], (400, 403), host)
            self.assertEqual(view.ask(own, Host=f"localhost:{view.port}")[0], 200)
            for origin in ("http://evil.example", "null", f"https://127.0.0.1:{view.port}"):
                self.assertEqual(view.ask(own + "do?what=run", "POST", Origin=origin)[0], 403, origin)
            self.assertEqual(view.ask(own + "do?what=run", "POST", body=b"x" * 100000)[0], 413)
            for query in ("do", "do?what=", "do?what=reboot", "set?name=L", "set?name=L&value=", "set?name=L&value=1%0a2", f"set?name={'x' * 300}&value=1",
                          "watch?" + "&".join(["channel=a"] * 9), "set?name=L&value=2&more=3"):
                self.assertEqual(view.own(query, "POST")[0], 400, query)
            for method in ("PUT", "DELETE", "OPTIONS", "HEAD"):
                self.assertIn(view.own("do?what=run", method)[0], (405, 501), method)
            self.assertEqual(view.end(), 0)

    def test_malformed_requests(self):
        """Whatever comes, the server goes on and tells nothing."""
        with model_in_folder() as path, Viewer("view", path, "--no-browser") as view:
            token = view.token.encode()
            for raw in (b"", b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00\xff\xfe" * 400 + b"\r\n\r\n", b"GET /" + token + b"/ HTTP/1.1\r\n\r\n",
                        b"GET /" + b"A" * 100000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", b"POST /" + token + b"/do?what=run HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                        b"GET /" + token + b"/poll?state=%%00%%ff HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % view.port,
                        b"GET /" + token + b"/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nHost: evil\r\n\r\n" % view.port,
                        b"GET /" + token + b"/ HTTP/1.1\r\n" + b"X: y\r\n" * 5000 + b"\r\n",
                        b"POST /" + token + b"/do HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" % view.port):
                with socket.create_connection(("127.0.0.1", view.port), timeout=5) as s:
                    with contextlib.suppress(OSError):
                        s.sendall(raw)
                        s.shutdown(socket.SHUT_WR)
                        s.settimeout(5)
                        said = s.recv(65536)
                        self.assertNotIn(b"torsor: 1", said)
            idle = [socket.create_connection(("127.0.0.1", view.port), timeout=5) for _ in range(10)]  # that never say anything
            self.assertEqual(view.own("")[0], 200)
            for s in idle:
                s.close()
            self.assertEqual(view.end(), 0)

    def test_slow_clients(self):
        """Clients that begin a request and say no more: others are served beside them, and they are sent away soon."""
        with model_in_folder() as path, Viewer("view", path, "--no-browser") as view, contextlib.ExitStack() as slow:
            begun = [slow.enter_context(socket.create_connection(("127.0.0.1", view.port), timeout=30)) for _ in range(40)]
            for client in begun:
                client.sendall(b"GET /")
            self.assertEqual(view.own("")[0], 200)
            for client in begun:
                try:
                    self.assertEqual(client.recv(1000).split(b"\r\n")[0][:12] in (b"", b"HTTP/1.1 408"), True)
                except ConnectionResetError:
                    pass

    def test_only_this_computer(self):
        with model_in_folder() as path, Viewer("view", path, "--no-browser") as view:
            listening = pathlib.Path("/proc/net/tcp").read_text().splitlines() + pathlib.Path("/proc/net/tcp6").read_text().splitlines()
            ours = [line.split()[1] for line in listening[1:] if line.split()[1].endswith(f":{view.port:04X}") and line.split()[3] == "0A"]
            self.assertEqual(ours, [f"0100007F:{view.port:04X}"])

    def test_ports(self):
        with model_in_folder() as path, Viewer("view", path, "--no-browser") as view:
            said = torsor("view", path, "--no-browser", "--port", view.port, code=3).stderr
            self.assertIn(str(view.port), said)
            self.assertIn("--port", said)
            self.assertIn("65535", torsor("view", path, "--no-browser", "--port", 70000, code=1).stderr)
            port = view.port
            self.assertEqual(view.end(signal.SIGTERM), 0)
            with Viewer("view", path, "--no-browser", "--port", port) as again:
                self.assertEqual(again.port, port)
                self.assertNotEqual(again.token, view.token)

    def test_file_comes_and_goes(self):
        with model_in_folder() as path, Viewer("view", path, "--no-browser") as view:
            state = view.state(drawn)
            self.assertTrue(state["drawn"]["good"])
            text = path.read_text()
            path.unlink()
            state = view.state(lambda s: drawn(s) and not s["drawn"]["good"])
            self.assertIn("arm.yaml", json.dumps(state["drawn"]["mistakes"]))
            self.assertFalse(state["drawn"]["there"])
            self.assertIn("begins with 'torsor: 1'", state["drawn"]["mistakes"][0]["hint"])
            path.write_text(text.replace("mass: 2", "mass: 3"))
            state = view.state(lambda s: drawn(s) and s["drawn"]["good"])
            self.assertAlmostEqual(state["drawn"]["model"]["mass"], mass_of(path), 9)
            path.write_bytes(b"\xff\xfe\x00garbage")
            view.state(lambda s: drawn(s) and not s["drawn"]["good"])
            path.write_text("")
            view.state(lambda s: drawn(s) and not s["drawn"]["good"])
            other = path.with_name("other")  # as editors save: another file takes its place
            other.write_text(text)
            other.rename(path)
            view.state(lambda s: drawn(s) and s["drawn"]["good"])
            self.assertEqual(view.end(), 0)

    def test_files_half_saved(self):
        """An editor empties the file, then writes into it: the page never shows the empty one."""
        with model_in_folder() as path, Viewer("view", path, "--no-browser") as view:
            rod = view.state(drawn)["drawn"]["model"]["mass"] - 2
            for mass in range(3, 16):
                time.sleep(0.01 * mass)  # the program looks every 0.15 s
                with path.open("w") as file:
                    time.sleep(0.05)
                    file.write(MODEL.replace("mass: 2", f"mass: {mass}"))
                end, shown = time.time() + 12, None
                while shown != mass and time.time() < end:
                    state = view.poll()["state"]
                    self.assertTrue(state is None or state["drawn"]["good"], state)
                    shown = state and round(state["drawn"]["model"]["mass"] - rod, 6)
                self.assertEqual(shown, mass)

    def test_included_files(self):
        """Files that the model includes are watched, and theirs."""
        with tempfile.TemporaryDirectory() as folder:
            path, outer, inner = (pathlib.Path(folder, name) for name in ("whole.yaml", "bob.yml", "deep.yaml"))
            inner.write_text("torsor: 1\nunits: SI\nparameters: {M: 2 kg}\n")
            outer.write_text("torsor: 1\nunits: SI\ninclude: [deep.yaml]\nbodies: {bob: {mass: M, inertia: [1, 1, 1]}}\n")
            path.write_text("torsor: 1\nunits: SI\ninclude:\n  - bob.yml\n")
            with Viewer("view", path, "--no-browser") as view:
                for mass in (2, 5):
                    inner.write_text(inner.read_text().replace("2 kg", f"{mass} kg"))
                    state = view.state(lambda s: drawn(s) and s["drawn"]["good"] and s["drawn"]["model"]["mass"] == mass)
                    self.assertTrue(state["drawn"]["good"])

    def test_no_file(self):
        """A file that is not there yet is waited for."""
        with tempfile.TemporaryDirectory() as folder, Viewer("view", pathlib.Path(folder, "new.yaml"), "--no-browser") as view:
            view.state(lambda s: drawn(s) and not s["drawn"]["good"])
            pathlib.Path(folder, "new.yaml").write_text(MODEL)
            view.state(lambda s: drawn(s) and s["drawn"]["good"])
        self.assertIn("give it a file", torsor("view", "-", "--no-browser", code=1).stderr)
        self.assertIn("torsor report gone.h5", torsor("view", "gone.h5", "--no-browser", code=1).stderr)

    def test_pipe(self):
        """A pipe in place of the file does not hold the program up."""
        with model_in_folder() as path, Viewer("view", path, "--no-browser") as view:
            path.unlink()
            os.mkfifo(path)
            view.state(lambda s: drawn(s) and not s["drawn"]["good"])
            self.assertIn("give it a file", torsor("view", path, "--no-browser", code=1).stderr)
            path.unlink()
            path.write_text(MODEL)
            view.state(lambda s: drawn(s) and s["drawn"]["good"])

    def test_ledger_of_the_run(self):
        """The last sample is the end of `torsor run`: the same energies and channels to the last digit."""
        with model_in_folder() as path, Viewer("view", path, "--no-browser") as view:
            view.state(drawn)
            self.assertEqual(view.own("watch?channel=hinge.angle&channel=rod.end.position", "POST")[0], 200)
            self.assertEqual(view.own("do?what=run", "POST")[0], 200)
            state = view.state(lambda s: s["run"]["phase"] == "ended")
            self.assertTrue(state["run"]["good"], state["run"])
            self.assertEqual([name for name, _ in state["watched"]], ["hinge.angle", "rod.end.position.x", "rod.end.position.y", "rod.end.position.z"])
            last = view.poll()["samples"][-1]
            torsor("run", path, "-o", path.with_suffix(".h5"), "-q")
            import h5py
            with h5py.File(path.with_suffix(".h5")) as file:
                t, ledger = file["frames/t"][-1], file["frames/ledger"][-1]
            self.assertEqual(last[0], t)
            for k in range(7):  # kinetic, elastic, gravity, work of loads and drives, dissipated, by the scheme
                self.assertEqual(last[1 + k], ledger[k], k)
            csv = torsor("info", path.with_suffix(".h5"), "--csv", "hinge.angle", "rod.end.position").stdout.splitlines()[-1]
            for shown, told in zip(last[10:], csv.split(",")[1:]):
                self.assertAlmostEqual(shown, float(told), 12)
            self.assertEqual(view.own("watch?channel=hinge.angel", "POST")[0], 200)

    def test_colours_of_the_run(self):
        """Values at the stations are those of the results of `torsor run`, in single precision; another field from the next frame on."""
        with model_in_folder() as path, Viewer("view", path, "--no-browser") as view:
            view.state(drawn)
            self.assertEqual([view.own(f"paint{query}", "POST")[0] for query in ("", "?field=", "?field=a%0ab", "?what=N")], [400] * 4)
            torsor("run", path, "-o", path.with_suffix(".h5"), "-q")
            head, *rows = [line.split(",") for line in torsor("info", path.with_suffix(".h5"), "--csv", "rod").stdout.splitlines()]
            for field in ("N", "M2"):
                self.assertEqual(view.own(f"paint?field={field}", "POST")[0], 200)
                view.own("do?what=free", "POST")
                view.own("do?what=run", "POST")
                view.state(lambda s: s["run"]["phase"] == "ended")
                seen = view.poll()
                told = [float(rows[-1][k]) for k, name in enumerate(head) if f".{field} " in name]
                self.assertEqual((seen["field"], len(seen["paint"])), (field, len(told)))
                self.assertGreater(max(map(abs, told)), 0)
                for shown, value in zip(seen["paint"], told):
                    self.assertAlmostEqual(shown, value, delta=2e-7 * max(map(abs, told)))
                path.write_text(path.read_text() + "\n")
                view.state(lambda s: s["run"]["phase"] == "none")
            view.own("paint?field=nonsense", "POST")
            view.own("do?what=run", "POST")
            view.state(lambda s: s["run"]["phase"] == "ended")
            self.assertEqual(view.poll()["paint"], ())

    def test_stop_and_signals(self):
        """A run that is stopped, a run under way when the file changes, and one under way at Ctrl-C."""
        long = MODEL.replace("end: 400 ms", "end: 4000 s")
        with model_in_folder(long) as path, Viewer("view", path, "--no-browser") as view:
            view.state(drawn)
            view.own("do?what=run", "POST")
            view.state(lambda s: s["run"]["phase"] == "running")
            view.own("do?what=pause", "POST")
            view.state(lambda s: s["run"]["phase"] == "paused")
            time.sleep(0.2)
            at = view.poll()["t"]
            time.sleep(0.3)
            self.assertEqual(view.poll()["t"], at)
            view.own("do?what=continue", "POST")
            view.state(lambda s: s["run"]["phase"] == "running")
            view.own("do?what=stop", "POST")
            view.state(lambda s: s["run"]["phase"] == "stopped")
            view.own("do?what=run", "POST")
            view.state(lambda s: s["run"]["phase"] == "running")
            path.write_text(long.replace("mass: 2", "mass: 4"))
            state = view.state(lambda s: s["run"]["phase"] == "none")
            self.assertAlmostEqual(state["drawn"]["model"]["mass"], mass_of(path), 9)
            view.own("do?what=run", "POST")
            view.state(lambda s: s["run"]["phase"] == "running")
            begun = time.time()
            self.assertEqual(view.end(), 0)
            self.assertLess(time.time() - begun, 10)
            self.assertEqual(view.said, "")

    def test_parameters(self):
        with model_in_folder() as path, Viewer("view", path, "--no-browser") as view:
            state = view.state(drawn)
            self.assertEqual({p["name"]: p["text"] for p in state["drawn"]["parameters"]}["L"], "0.5 m")
            view.own("set?name=L&value=0.75%20m", "POST")
            state = view.state(lambda s: s["set"])
            self.assertAlmostEqual(state["drawn"]["model"]["mass"], mass_of(path, "--set", "L=0.75m"), 9)
            view.own("set?name=L&value=3%20kg", "POST")
            state = view.state(lambda s: not s["drawn"]["good"])
            self.assertIn("kg", json.dumps(state["drawn"]["mistakes"]))
            view.own("set?name=nothing&value=1", "POST")
            view.own("do?what=reset", "POST")
            state = view.state(lambda s: drawn(s) and s["drawn"]["good"] and not s["set"])

    def test_browser_is_opened(self):
        """With a display, xdg-open gets a file of this user alone, which leads to the address: a token on a command line could be read by others."""
        with model_in_folder() as path:
            bin_ = path.parent / "bin"
            bin_.mkdir()
            opener = bin_ / "xdg-open"
            opener.write_text(f'#!/bin/sh\necho "$1" > {path.parent}/opened.tmp; cp "$1" {path.parent}/copy; stat -c %a "$1" > {path.parent}/mode; mv {path.parent}/opened.tmp {path.parent}/opened\n')
            opener.chmod(0o755)
            environment = {"PATH": f"{bin_}:{os.environ['PATH']}", "DISPLAY": ":7", "XDG_RUNTIME_DIR": str(path.parent)}
            with Viewer("view", path, environment=environment) as view:
                for _ in range(100):
                    if (path.parent / "opened").exists():
                        break
                    time.sleep(0.05)
                note = pathlib.Path((path.parent / "opened").read_text().strip())
                self.assertNotIn(view.token, str(note))
                self.assertIn(view.address, (path.parent / "copy").read_text())
                self.assertEqual((path.parent / "mode").read_text().strip(), "600")
                self.assertEqual(view.end(), 0)
                self.assertFalse(note.exists())

    def test_run_with_view(self):
        """`torsor run --view` writes the same results as without, and stays until the page says so."""
        with model_in_folder() as path:
            with Viewer("run", path, "--view", "--no-browser", "-o", path.with_name("a.h5"), cwd=path.parent) as view:
                state = view.state(lambda s: s["run"]["phase"] == "ended")
                self.assertEqual(state["mode"], "run")
                self.assertEqual(view.own("do?what=quit", "POST")[0], 200)
                self.assertEqual(view.process.wait(20), 0)
            torsor("run", path, "-o", path.with_name("b.h5"), "-q")
            import h5py
            with h5py.File(path.with_name("a.h5")) as a, h5py.File(path.with_name("b.h5")) as b:
                self.assertTrue((a["frames/q"][:] == b["frames/q"][:]).all())

    @unittest.skipUnless(shutil.which("cc"), "cc is missing")
    def test_quit_is_answered(self):
        """The order to quit is answered before the program ends, however slow the machine is: here each answer waits for 4 s between
        being made and being sent. An order that comes while the run goes on is kept until its end."""
        with model_in_folder(MODEL.replace("end: 400 ms", "end: 3 s")) as path:
            shim, slow = path.with_name("shim.so"), path.with_name("slow")
            path.with_name("shim.c").write_text(SLOW_ANSWERS)
            subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, path.with_name("shim.c")], check=True)
            for busy in (False, True):
                with Viewer("run", path, "--view", "--no-browser", "--force", "-o", path.with_name("a.h5"), cwd=path.parent,
                            environment={"LD_PRELOAD": str(shim), "SLOW": str(slow)}) as view:
                    if not busy:
                        view.state(lambda s: s["run"]["phase"] == "ended", 60)
                        slow.touch()
                    begun = time.time()
                    self.assertEqual(view.own("do?what=quit", "POST")[0], 200)
                    self.assertGreater(time.time() - begun, 0 if busy else 4)
                    self.assertEqual(view.process.wait(60), 0)
                slow.unlink(missing_ok=True)


@unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
class InChromium(unittest.TestCase):
    def clean(self, browser):
        self.assertEqual(browser("errors"), {"errors": [], "requests": []})
        self.assertIsNone(browser("look")["error"])

    def test_drawing(self):
        with model_in_folder() as path, tempfile.TemporaryDirectory() as folder, Viewer("view", path, "--no-browser") as view, Browser(view.address, folder) as b:
            seen = b("look")
            self.assertEqual(seen["title"], "Arm with a rod")
            self.assertEqual(seen["phase"], "none")
            check = answer("check", path)["model"]
            self.assertEqual(seen["facts"]["degrees of freedom"], str(check["freedom"]))
            self.assertEqual(seen["facts"]["redundant"], str(check["redundant"]))
            self.assertEqual(float(seen["facts"]["mass"].split()[0]), float(f"{check['mass']:.4g}"))
            self.assertLessEqual({("arm", "rigid"), ("hinge", "revolute"), ("weld", "rigid"), ("rod", "beam"), ("push", "force"), ("twist", "moment")}, {tuple(p) for p in seen["parts"]})
            self.assertEqual({name for name, _ in seen["shown"]}, {"pace", "names", "joint axes", "loads", "gravity", "points", "body axes"})
            self.assertEqual([load[5:8] for load in seen["loads"]], [[0, 0, 5], [0, 1, 0]])
            picture = b("picture")
            self.assertGreater(picture["share"], 0.01)
            self.assertGreater(picture["colours"], 50)
            for name in ("loads", "gravity", "points"):  # each of them can be seen
                b("click", f'[data-show="{name}"]')
                self.assertNotEqual(b("picture")["hash"], picture["hash"], name)
                b("click", f'[data-show="{name}"]')
            self.assertEqual(b("picture")["hash"], picture["hash"])
            for name, kind in (("hinge", "revolute"), ("rod", "beam"), ("twist", "moment")):
                seen = b("hover", name)
                self.assertTrue(seen["visible"]["tip"], name)
                self.assertEqual(seen["tip"], name + kind)
            self.assertEqual(b("press", "hinge")["part"], "hinge")
            seen = b("click", '#tree-list li[data-part="rod"] .part')
            self.assertEqual(seen["part"], "rod")
            self.assertTrue(seen["visible"]["mark"])
            shown = b("picture")["hash"]
            b("click", '#tree-list li[data-part="arm"] [data-do=shown]')
            self.assertNotEqual(b("picture")["hash"], shown)
            self.assertNotEqual(b("hover", "arm")["tip"] if b("look")["visible"]["tip"] else "", "armrigid")  # what is hidden has no name
            b("click", '#tree-list li[data-part="arm"] [data-do=shown]')
            self.assertEqual(b("picture")["hash"], shown)
            b("type", "#tree-list input[type=search]", "revol")
            self.assertEqual([p[0] for p in b("look")["parts"]], ["hinge"])
            for width, height, scheme in ((1400, 900, "light"), (1400, 900, "dark"), (390, 844, "light"), (390, 844, "dark")):
                self.assertLessEqual(b("size", width, height, scheme)["overflow"], 0, (width, scheme))
                b("shoot", f"{width}-{scheme}.png")
            self.clean(b)

    def test_written_bit_by_bit(self):
        """A four-bar as a newcomer writes it, the page open: points alone are framed, the page says what a run needs, channels come with the
        joints, an axis that cannot turn is told at the line of the drive, the picture widens with the motion, angles are in degrees."""
        four_bar = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
points: {A: [0, 0, 0], B: [0, 0, 0.2], C: [0.5, 0, 0.45], D: [0.6, 0, 0]}
bodies:
  crank: {mass: 1 kg, inertia: [0.001, 0.005, 0.005], position: (A + B)/2}
  coupler: {mass: 1 kg, inertia: [0.001, 0.02, 0.02], position: (B + C)/2}
  rocker: {mass: 1 kg, inertia: [0.001, 0.02, 0.02], position: (C + D)/2}
joints:
  A: {type: revolute, bodies: [ground, crank], at: A, axis: y}
  B: {type: revolute, bodies: [crank, coupler], at: B, axis: y}
  C: {type: revolute, bodies: [coupler, rocker], at: C, axis: y}
  D: {type: revolute, bodies: [rocker, ground], at: D, axis: y}
motions:
  drive: {joint: A, angle: 2*t}
analysis: {step: 5 ms, end: 2 s}
"""
        framed = """["A", "B", "C", "D"].map((n, i) => window.torsor.stage.view.project(window.torsor.stage.signs.points.items[i].at)).every((at) => {
            const c = window.torsor.stage.canvas; return at.x > 20 && at.y > 20 && at.x < c.clientWidth - 20 && at.y < c.clientHeight - 20; })"""
        spread = "(() => { const { view, signs } = window.torsor.stage, [a, , , d] = signs.points.items.map((p) => view.project(p.at)); return Math.hypot(a.x - d.x, a.y - d.y) / view.canvas.clientWidth; })()"
        lines = four_bar.splitlines()
        with model_in_folder(four_bar.split("bodies:")[0]) as path, tempfile.TemporaryDirectory() as folder, Viewer("view", path, "--no-browser") as view, Browser(view.address, folder) as b:
            self.assertTrue(b("evaluate", framed))
            self.assertGreater(b("evaluate", spread), 0.3)
            self.assertEqual(b("evaluate", "[...document.querySelectorAll('#names .name')].filter((e) => !e.hidden).map((e) => e.textContent)"), ["A", "B", "C", "D"])
            self.assertIn("analysis: {", b("look")["words"])
            path.write_text(four_bar.replace("D, axis: y", "D, axis: x"))
            seen = b("wait", "() => document.getElementById('phase').dataset.phase === 'mistakes'")
            drive = next(i + 1 for i, line in enumerate(lines) if line.startswith("  drive:"))
            self.assertTrue(seen["mistakes"][0]["place"].endswith(f"arm.yaml:{drive}:3"), seen["mistakes"])
            self.assertEqual(seen["mistakes"][0]["marked"], "drive:")
            path.write_text(four_bar)
            seen = b("wait", "() => window.torsor.drawn === 2 && document.getElementById('phase').dataset.phase === 'none'")
            self.assertEqual(len([note for note in seen["notes"] if "repeat what" in note]), 1)
            b("click", "#pace")
            b("click", "#run")
            seen = b("wait", "() => document.getElementById('phase').dataset.phase === 'ended' && window.torsor.samples.columns[0].at(-1) > 1.999 && window.torsor.frames.at(-1)?.t > 1.999")
            self.assertEqual([w[0] for w in seen["watched"]], ["A.angle", "B.angle", "C.angle"])
            last = "document.getElementById('channel-plot').uplot.data[1].at(-1)"
            self.assertAlmostEqual(b("evaluate", last), math.degrees(4.0), 6)  # angle: 2*t at 2 s
            b("evaluate", "(() => { const s = document.getElementById('units'); s.value = 'si'; s.dispatchEvent(new Event('change')); })()")
            self.assertAlmostEqual(b("evaluate", last), 4.0, 9)
            inside = """(() => { const { view, pose } = window.torsor.stage, c = view.canvas;
                return [1, 2, 3].every((n) => { const at = view.project([...pose.x.slice(3 * n, 3 * n + 3)]); return at.x > 0 && at.y > 0 && at.x < c.clientWidth && at.y < c.clientHeight; }); })()"""
            self.assertTrue(b("evaluate", inside))
            self.clean(b)

    def test_what_flies_away_is_followed(self):
        """The picture widens with a body that leaves it, unless the camera is the user's."""
        flying = "torsor: 1\nunits: SI\nbodies: {ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], velocity: [0, 0, 50]}}\nanalysis: {step: 10 ms, end: 1 s}\n"
        seen = "(() => { const { view, pose } = window.torsor.stage, at = view.project([...pose.x.slice(3, 6)]); return at.y > 0 && at.y < view.canvas.clientHeight; })()"
        end = "() => document.getElementById('phase').dataset.phase === 'ended' && window.torsor.frames.at(-1)?.t > 0.99"
        with model_in_folder(flying) as path, tempfile.TemporaryDirectory() as folder, Viewer("view", path, "--no-browser") as view, Browser(view.address, folder) as b:
            b("click", "#run")
            b("wait", end)
            self.assertTrue(b("evaluate", seen))
            path.write_text(flying.replace("50]", "51]"))
            b("wait", "() => window.torsor.drawn === 2")
            b("evaluate", "window.torsor.stage.view.zoom(1)")  # from now on the camera is the user's
            b("click", "#run")
            b("wait", end)
            self.assertFalse(b("evaluate", seen))
            b("click", "#views button")  # Fit
            self.assertTrue(b("evaluate", seen))
            self.clean(b)

    def test_first_channels(self):
        """Without joints the page plots the place of the first body, or what the end of the first beam does."""
        ball = "torsor: 1\nunits: SI\nbodies: {ball: {mass: 1, inertia: [1, 1, 1]}}\nanalysis: {step: 1 ms, end: 1 s}\n"
        beam = MODEL[:MODEL.index("joints:")].replace("bodies:\n  arm", "#") + "analysis: {step: 1 ms, end: 1 s}\n"
        with model_in_folder(ball) as path, tempfile.TemporaryDirectory() as folder, Viewer("view", path, "--no-browser") as view, Browser(view.address, folder) as b:
            for text, vector in ((ball, "ball.position"), (beam, "rod.5.displacement"), (MODEL, None)):
                path.write_text(text)
                wanted = [f"{vector}.{k}" for k in "xyz"] if vector else ["hinge.angle"]
                b("wait", f"() => JSON.stringify(window.torsor.watching) === '{json.dumps(wanted, separators=(',', ':'))}'")
            self.clean(b)

    def test_mistake_in_a_long_line(self):
        """On a phone, the word at fault is scrolled into sight."""
        text = MODEL.replace("bodies: [ground, arm], at: [0, 0, 0], axis: y", "bodies: [ground, arm], at: [0, 0, 0], axis: q")
        with model_in_folder(text) as path, tempfile.TemporaryDirectory() as folder, Viewer("view", path, "--no-browser") as view, Browser(view.address, folder) as b:
            self.assertLessEqual(b("size", 390, 844, "light")["overflow"], 0)
            path.write_text(text + "\n")
            b("wait", "() => document.querySelector('.mistake pre')?.scrollLeft > 0")
            self.assertTrue(b("evaluate", "(() => { const e = document.querySelector('.mistake em'), r = e.getBoundingClientRect(), p = e.parentElement.getBoundingClientRect(); return r.right <= p.right && r.left >= p.left; })()"))
            self.clean(b)

    def test_up_is_against_gravity(self):
        """Whichever axis gravity follows, its arrow points down on the screen. Without gravity, what lies flat is seen from above."""
        falls = "(() => { const { stage: { view, run } } = window.torsor, at = view.project([0, 0, 0]), to = view.project(run.scene.gravity.map((g) => 0.05 * g)); return [to.x - at.x, to.y - at.y]; })()"
        with model_in_folder() as path, tempfile.TemporaryDirectory() as folder, Viewer("view", path, "--no-browser") as view, Browser(view.address, folder) as b:
            for count, (gravity, up) in enumerate({"[0, -9.81, 0]": [0, 1, 0], "[9.81, 0, 0]": [-1, 0, 0], "[0, 0, 9.81]": [0, 0, -1], "[1, -2, -9]": [0, 0, 1], "[0, 0, 0]": [0, 1, 0]}.items(), 2):
                path.write_text(MODEL.replace("[0, 0, -9.81]", gravity))
                b("wait", f"() => window.torsor.drawn === {count}")
                self.assertEqual(b("evaluate", "window.torsor.stage.view.up"), up)
                if gravity != "[0, 0, 0]":
                    for button in (1, 2, 3):  # Fit, Front, Side
                        b("click", f"#views button:nth-child({button})")
                        right, down = b("evaluate", falls)
                        self.assertGreater(down, 5 * abs(right) if button > 1 and "1, -2" not in gravity else 0, (gravity, button))
            self.clean(b)

    def test_saving(self):
        with model_in_folder() as path, tempfile.TemporaryDirectory() as folder, Viewer("view", path, "--no-browser") as view, Browser(view.address, folder) as b:
            first = b("picture")["hash"]
            path.write_text(MODEL.replace("L: 0.5 m", "L: 0.8 m"))
            seen = b("wait", "() => window.torsor.drawn === 2")
            self.assertNotEqual(b("picture")["hash"], first)
            self.assertEqual(seen["parameters"]["L"], "0.8 m")
            path.write_text(MODEL.replace("type: revolute", "type: revolutee").replace("mass: 2", "mass: 2 kgg"))
            seen = b("wait", "() => document.getElementById('phase').dataset.phase === 'mistakes'")
            self.assertFalse(seen["visible"]["bench"])
            lines = MODEL.splitlines()
            arm, hinge = (next(i + 1 for i, line in enumerate(lines) if line.startswith(f"  {name}:")) for name in ("arm", "hinge"))
            self.assertEqual([m["marked"] for m in seen["mistakes"]], ["kgg", "revolutee"])
            self.assertIn(f"arm.yaml:{arm}:", seen["mistakes"][0]["place"])
            self.assertIn(f"arm.yaml:{hinge}:", seen["mistakes"][1]["place"])
            self.assertLessEqual(b("size", 390, 844, "dark")["overflow"], 0)
            b("size", 1400, 900, "light")
            path.write_text(MODEL)
            seen = b("wait", "() => window.torsor.drawn === 3 && document.getElementById('phase').dataset.phase === 'none'")
            self.assertTrue(seen["visible"]["bench"])
            self.assertEqual(b("picture")["hash"], first)
            path.unlink()
            self.assertEqual(b("wait", "() => document.getElementById('phase').dataset.phase === 'mistakes'")["words"], "waiting for the file")
            self.clean(b)

    def test_running(self):
        with model_in_folder() as path, tempfile.TemporaryDirectory() as folder, Viewer("view", path, "--no-browser") as view, Browser(view.address, folder) as b:
            before = b("look")
            self.assertFalse(before["visible"]["history"])
            b("click", "#pace")  # as fast as it can
            b("click", "#run")
            seen = b("wait", "() => document.getElementById('phase').dataset.phase === 'ended' && window.torsor.samples.columns[0].at(-1) > 0.399")
            self.assertIn("energy audit", seen["words"])
            self.assertEqual(seen["plots"], 2)
            self.assertEqual([w[0] for w in seen["watched"]], ["hinge.angle"])
            self.assertEqual(seen["times"], sorted(seen["times"]))
            torsor("run", path, "-o", path.with_suffix(".h5"), "-q")
            import h5py
            with h5py.File(path.with_suffix(".h5")) as file:
                slots, q = file["model/nodes"]["slot"], file["frames/q"][-1]
            b("wait", "() => Math.abs(window.torsor.frames.at(-1)?.t - 0.4) < 1e-9")
            shown = b("look")["places"]
            for node, slot in enumerate(slots[:len(shown) // 3]):
                for k in range(3):
                    self.assertAlmostEqual(shown[3 * node + k], q[slot][k], 5)
            self.assertEqual(b("type", "#channel", "arm.velocity.z")["note"], "Run again to draw it.")
            seen = b("click", "#run")
            seen = b("wait", "() => document.getElementById('phase').dataset.phase === 'ended' && window.torsor.state.watched.length === 2")
            self.assertEqual(b("type", "#channel", "hinge.angel")["note"], "There is no channel 'hinge.angel'. Did you mean 'hinge.angle'?")
            b("type", "#channel", "nothing.*")  # patterns are for the program to say; what it could read stays
            b("click", "#run")
            b("wait", "() => document.getElementById('channel-note').textContent.includes(\"has no 'nothing.*'\") && window.torsor.state.watched.length === 2")
            for width, height, scheme in ((390, 844, "dark"), (1400, 900, "light")):
                self.assertLessEqual(b("size", width, height, scheme)["overflow"], 0)
            self.clean(b)

    def test_pause_and_scrub(self):
        with model_in_folder(MODEL.replace("end: 400 ms", "end: 100 s")) as path, tempfile.TemporaryDirectory() as folder, \
                Viewer("view", path, "--no-browser") as view, Browser(view.address, folder) as b:
            b("click", "#run")
            b("wait", "() => window.torsor.frames.length > 3")
            b("click", "#pause")
            seen = b("wait", "() => document.getElementById('phase').dataset.phase === 'paused'")
            self.assertTrue(seen["visible"]["stop"])
            self.assertFalse(seen["visible"]["run"])
            b("evaluate", "new Promise((r) => setTimeout(r, 400))")
            still = b("look")
            b("evaluate", "new Promise((r) => setTimeout(r, 400))")
            self.assertEqual(b("look")["times"], still["times"])
            now = b("picture")["hash"]
            b("evaluate", "window.torsor.frames[0].paint = new Float32Array(0), 0")  # as if it came before the page had asked for colours
            b("slide", "#scrub", 0)
            self.assertIsNone(b("look")["legend"])
            self.assertNotEqual(b("picture")["hash"], now)
            self.assertEqual(b("click", "#live")["most"], still["most"])
            self.assertEqual(b("picture")["hash"], now)
            b("click", "#pause")
            b("wait", f"() => window.torsor.frames.at(-1).t > {still['frameTimes'][-1]}")
            b("click", "#stop")
            b("wait", "() => document.getElementById('phase').dataset.phase === 'stopped'")
            self.clean(b)

    def test_sliders_and_two_browsers(self):
        with model_in_folder() as path, tempfile.TemporaryDirectory() as folder, Viewer("view", path, "--no-browser") as view, \
                Browser(view.address, folder) as one, Browser(view.address, folder) as two:
            one("slide", '[data-slider="L"]', 0.7)
            for b in (one, two):
                seen = b("wait", "() => window.torsor.state.set.length === 1 && window.torsor.state.drawn.good && window.torsor.drawn > 1")
                self.assertEqual(seen["parameters"]["L"].split()[0], "0.7")
                self.assertEqual(float(seen["facts"]["mass"].split()[0]), float(f"{mass_of(path, '--set', 'L=0.7m'):.4g}"))
            two("click", "#reset")
            seen = one("wait", "() => window.torsor.state.set.length === 0 && window.torsor.state.drawn.good")
            self.assertEqual(seen["parameters"]["L"], "0.5 m")
            two("click", "#run")
            for b in (one, two):
                b("wait", "() => document.getElementById('phase').dataset.phase === 'ended'")
                b("wait", "() => window.torsor.samples.columns[0].at(-1) > 0.399")
            self.assertEqual(one("look")["samples"], two("look")["samples"])
            self.clean(one), self.clean(two)
            self.assertEqual(view.end(), 0)
            one("wait", "() => window.torsor.gone")
            self.assertIn("ended", one("look")["gone"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
