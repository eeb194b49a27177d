// The most that Node can send of one answer: a bare server that fetches it once from ANSWER_URL, and answers everything with
// the same head and the same bytes, or with a 304 who names an ETag.
import { createServer } from 'node:http';

const { ANSWER_URL, PORT = '0' } = process.env;
const answer = await fetch(ANSWER_URL, { headers: { 'Accept-Encoding': 'identity' } });
const body = Buffer.from(await answer.arrayBuffer());
// What Node adds by itself is not given twice.
const own = ['connection', 'date', 'keep-alive', 'transfer-encoding'];
const headers = Object.fromEntries([...answer.headers].filter(([name]) => !own.includes(name)));

createServer((request, response) => {
  if (request.headers['if-none-match'] !== undefined) response.writeHead(304, headers).end();
  else response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
}).listen(Number(PORT), '127.0.0.1');
