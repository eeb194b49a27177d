// `npm run client:types` (after `npm run build`) writes packages/client/src/schema.ts from our own /openapi.json; with the
// file of a document as its only word it prints what would be written.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import ts from 'typescript';

const OPTIONS = {
  emptyObjectsUnknown: true,
  // Fields with a default are optional in requests.
  defaultNonNullable: false,
  transform: ({ type, maxItems }) =>
    type === 'array' && maxItems === 0 ? ts.factory.createTupleTypeNode([]) : undefined,
};

/** Types of everything that the document describes. */
const typesOf = async (document) => COMMENT_HEADER + astToString(await openapiTypescript(document, OPTIONS));

/** The document of a server with nothing set, on a calendar that goes with it. */
async function ownDocument() {
  const { startTestServer } = await import('../dist/testing.js');
  const server = await startTestServer();
  const { body } = await server.get('/openapi.json');
  await server.close();
  return body;
}

const [file] = process.argv.slice(2);
if (file) {
  process.stdout.write(await typesOf(JSON.parse(readFileSync(file, 'utf8'))));
} else {
  const target = fileURLToPath(new URL('../packages/client/src/schema.ts', import.meta.url));
  writeFileSync(target, await typesOf(await ownDocument()));
}
