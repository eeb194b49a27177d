// `npm run client:types` (after `npm run build`) writes packages/client/src/schema.ts from our own /openapi.json; with the
// file of a document as its only word it prints what would be written.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import ts from 'typescript';

const OPTIONS = {
  emptyObjectsUnknown: true,
  // Whoever writes leaves out what has a default.
  defaultNonNullable: false,
  transform: ({ type, maxItems }) =>
    type === 'array' && maxItems === 0 ? ts.factory.createTupleTypeNode([]) : undefined,
};

/** Types of everything that the document describes. */
const typesOf = async (document) => COMMENT_HEADER + astToString(await openapiTypescript(document, OPTIONS));

/** The document of a server with nothing set, which is closed again. */
async function ownDocument() {
  const { readEnvironment } = await import('../dist/config/env.js');
  const { createServer } = await import('../dist/create-server.js');
  const app = await createServer({ env: readEnvironment({ LOG_LEVEL: 'silent' }) });
  await app.listen(0, '127.0.0.1');
  const document = await (await fetch(`${await app.getUrl()}/openapi.json`)).json();
  await app.close();
  return document;
}

const [file] = process.argv.slice(2);
if (file) {
  process.stdout.write(await typesOf(JSON.parse(readFileSync(file, 'utf8'))));
} else {
  const target = fileURLToPath(new URL('../packages/client/src/schema.ts', import.meta.url));
  writeFileSync(target, await typesOf(await ownDocument()));
}
