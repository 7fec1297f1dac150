// Requests to the server: JSON in, JSON out, one clear line where something is wrong.

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** The access token of a server that asks for one, handed over in the address's fragment, from which it is removed. */
const token: string = (() => {
  const handed = new URLSearchParams(location.hash.slice(1));
  const given = handed.get("token");
  if (given !== null) {
    sessionStorage.setItem("fogtree.token", given);
    handed.delete("token");
    const rest = handed.toString();
    history.replaceState(null, "", location.pathname + location.search + (rest && `#${rest}`));
  }
  return sessionStorage.getItem("fogtree.token") ?? "";
})();

export function accessToken(): string {
  return token;
}

/** In place of a status: the server did not answer at all. */
export const UNREACHABLE = 0;
/** The status of what the server does not have, or no longer has. */
export const GONE = 404;

async function request<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
  const headers: Record<string, string> = {};
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (key) headers["X-Seat-Key"] = key;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new ApiError("the server does not answer", UNREACHABLE); // the browser's own words differ
  });
  const text = await answer.text();
  let content: unknown = null;
  try {
    content = JSON.parse(text);
  } catch {
    /* not JSON: the status says enough */
  }
  if (!answer.ok) {
    const said = (content as { error?: string } | null)?.error;
    throw new ApiError(said ?? `the server answered ${answer.status}`, answer.status);
  }
  return content as T;
}

export const get = <T>(path: string, key?: string): Promise<T> => request<T>("GET", path, undefined, key);
export const post = <T>(path: string, body: unknown = {}, key?: string): Promise<T> =>
  request<T>("POST", path, body, key);
