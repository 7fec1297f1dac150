// A websocket that comes back after a break and asks for the events it has missed.
import { accessToken } from "./api";

export type Event = { n?: number; type: string; [field: string]: unknown };

export class LiveSocket {
  private socket: WebSocket | null = null;
  private last = 0;
  private wait = 250;
  private closed = false;

  constructor(
    private readonly path: string,
    private readonly hello: Record<string, unknown>,
    private readonly receive: (event: Event) => void,
    private readonly connected: (open: boolean) => void = () => {},
    private readonly shut: (why: string) => void = () => {},
  ) {
    this.open();
  }

  send(message: Record<string, unknown>): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  private open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      socket.send(
        JSON.stringify({ type: "hello", token: accessToken(), since: this.last, ...this.hello }),
      );
      socket.send(JSON.stringify({ type: "ping" })); // its answer comes after the events that were missed
      this.connected(true);
    };
    socket.onmessage = (message) => {
      const event = JSON.parse(String(message.data)) as Event;
      if (event.n !== undefined) {
        if (event.n <= this.last) return; // seen before the break
        this.last = event.n;
      }
      this.receive(event);
    };
    socket.onclose = (event) => {
      this.connected(false);
      if (this.closed) return;
      if (event.code === 4403) {
        this.shut(event.reason || "the server refused the connection"); // asking again is no use
        return;
      }
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(8000, this.wait * 2);
    };
  }
}
