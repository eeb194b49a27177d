import { execFileSync } from 'node:child_process';
import { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { head, openRaw } from '../support/raw-socket.js';
import { makeSite, type Site } from '../support/sites.js';

const LIST = '/cal/events/v1/events?start_date=2000-01-01&per_page=';
const COMPLAINT = /No file descriptors/g;

describe.each([
  ['from the start', true],
  ['later on', false],
])('a process with few file descriptors, %s', (_, isFromStart) => {
  let site: Site;
  let server: BuiltServer;
  const held: Socket[] = [];

  beforeAll(async () => {
    site = await makeSite('SQLite');
  });
  afterEach(async () => {
    for (const socket of held.splice(0)) socket.destroy();
    await server?.kill();
  });
  afterAll(() => site?.drop());

  it('logs it once, serves open connections and accepts new ones once others close', async () => {
    server = await startBuilt(site.url, [], isFromStart ? { files: 400 } : {});
    if (!isFromStart) execFileSync('prlimit', ['--pid', String(server.pid()), '--nofile=60']);
    const first = openRaw(server.url, 'GET ').socket;
    held.push(first);
    await sleep(200);
    for (let n = 0; n < 700; n++) held.push(openRaw(server.url, 'GET ').socket);
    while (!COMPLAINT.test(server.log())) await sleep(100);
    for (let n = 0; n < 100; n++) held.push(openRaw(server.url, 'GET ').socket);
    await sleep(3000);
    expect(server.log().match(COMPLAINT)).toHaveLength(1);
    expect(server.log()).toContain('EMFILE');
    const response = new Promise((resolve) => first.once('data', resolve));
    first.write(head('GET', `${LIST}1`, {}).slice('GET '.length));
    expect(String(await response)).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of held.splice(0)) socket.destroy();
    let status = 0;
    for (let n = 2; status !== 200; n++)
      status = await fetch(`${server.url}${LIST}${n}`).then(
        (answer) => answer.status,
        () => 0,
      );
    expect(server.log().match(COMPLAINT)).toHaveLength(1);
  });
});
