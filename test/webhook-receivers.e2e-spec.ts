import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { transform } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { blocksOf, ROOT } from './support/doc-blocks.js';
import { freePort } from './support/free-port.js';
import { testFolder } from './support/test-folder.js';

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 'd').toString('base64')}`;
const ID = 'msg_1';
const BODY = JSON.stringify({ type: 'event.created', timestamp: '2026-11-27T05:20:46Z', data: { id: 53 } });

/** The program of docs/webhooks.md in a language. */
function example(kind: string): string {
  const found = blocksOf('docs/webhooks.md').find((block) => block.kind === kind);
  if (!found) throw new Error(`no example in ${kind}`);
  return found.text;
}

const PROGRAMS = [
  ['ts', 'receiver.mjs', (file: string) => [process.execPath, file]],
  ['python', 'receiver.py', (file: string) => ['python3', file]],
  ['php', 'receiver.php', (file: string, port: number) => ['php', '-S', `127.0.0.1:${port}`, file]],
] as const;

describe('the receivers of docs/webhooks.md', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  it.each(PROGRAMS)(
    'in %s accepts a signed message, and rejects forged and old ones with 400',
    async (kind, name, words) => {
      const folder = mkdtempSync(join(testFolder(), `receiver-${kind}-`));
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      const text = example(kind);
      const { code } =
        kind === 'ts' ? await transform(text, { loader: 'ts', format: 'esm' }) : { code: text };
      const file = join(folder, name);
      writeFileSync(file, code);
      const port = await freePort();
      const [command = '', ...args] = words(file, port);
      const env = { ...process.env, WEBHOOK_SECRET, PORT: String(port) };
      const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      children.push(child);
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => (output += String(chunk)));
      const send = async (signature: string, at: Date, body = BODY) => {
        const headers = {
          'webhook-id': ID,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': signature,
        };
        for (const giveUp = Date.now() + 30_000; ; await sleep(50))
          try {
            return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
          } catch (error) {
            if (Date.now() > giveUp) throw new Error(`${kind} does not listen: ${output}`, { cause: error });
          }
      };
      const signer = new Webhook(WEBHOOK_SECRET);
      const now = new Date();
      const past = new Date(now.getTime() - 3_600_000);
      const signature = signer.sign(ID, now, BODY);
      const other = new Webhook(`whsec_${Buffer.alloc(32, 'e').toString('base64')}`).sign(ID, now, BODY);
      expect([
        await send(signature, now),
        await send(`${other} ${signature}`, now),
        await send(other, now),
        await send(signature, now, BODY.replace('53', '54')),
        await send(signer.sign(ID, past, BODY), past),
      ]).toEqual([204, 204, 400, 400, 400]);
      expect(output).toContain('event.created');
    },
  );
});
