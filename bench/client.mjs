import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('0\r\n\r\n');

/**
 * Asks a server for what `next` gives, until it gives nothing or the time is over, on a number of connections that stay
 * open. It reads no more of an answer than its status and its end, and so leaves the machine to the server: an answer
 * costs it a fiftieth of a millisecond. Answers the requests per second and the milliseconds of all answers, sorted.
 * `mayRefuse`: 503 is counted as `refused`, instead of ending everything. `each` is called with the milliseconds of each answer.
 */
export async function load(url, next, { connections, seconds, status = 200, mayRefuse = false, each }) {
  const { hostname, port } = new URL(url);
  const times = [];
  let refused = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  const one = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let path;
      let sent;
      let answer = newAnswer();
      const ask = () => {
        const request = performance.now() < end ? next() : undefined;
        if (request === undefined) return socket.end(resolve);
        path = request.path;
        answer = newAnswer();
        sent = performance.now();
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${request.headers ?? ''}\r\n`);
      };
      socket.on('connect', ask);
      socket.on('data', (chunk) => {
        if (!takeChunk(answer, chunk)) return;
        times.push(performance.now() - sent);
        each?.(times.at(-1));
        if (answer.status === status) return ask();
        if (mayRefuse && answer.status === 503) {
          refused += 1;
          return ask();
        }
        socket.destroy();
        reject(new Error(`${url}${path} answers ${answer.status} instead of ${status}`));
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`${url}${path}: the connection was closed`)));
    });
  await Promise.all(Array.from({ length: connections }, one));
  const took = (performance.now() - began) / 1000;
  const count = times.length;
  return { rate: (count - refused) / took, count, refused, times: Float64Array.from(times).sort() };
}

/** The value below which a share of sorted numbers lies. */
export const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** The whole text and the headers of one answer. */
export async function read(url) {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`);
  return { headers: answer.headers, body: await answer.json() };
}

const newAnswer = () => ({ status: 0, head: undefined, missing: 0, tail: undefined });

/** Takes what has come of an answer and says whether that was its end. */
function takeChunk(answer, chunk) {
  let body = chunk;
  if (answer.status === 0) {
    const all = answer.head ? Buffer.concat([answer.head, chunk]) : chunk;
    const at = all.indexOf(HEAD_END);
    answer.head = all;
    if (at < 0) return false;
    const head = all.latin1Slice(0, at);
    answer.status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    answer.missing = answer.status === 304 ? 0 : length === undefined ? Infinity : Number(length);
    body = all.subarray(at + HEAD_END.length);
  }
  if (answer.missing !== Infinity) {
    answer.missing -= body.length;
    return answer.missing <= 0;
  }
  // In chunks: JSON holds no line ends outside of its texts' escapes, so this is the last chunk and nothing else.
  const seen = answer.tail ? Buffer.concat([answer.tail, body]) : body;
  answer.tail = seen.subarray(-CHUNKS_END.length);
  return answer.tail.equals(CHUNKS_END);
}
