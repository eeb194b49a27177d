import { declareJournalOfWriters } from '../suites/journal-of-writers.js';
import { galeraMissing, startGalera } from '../support/galera.js';
import { serverMissing } from '../support/mariadb.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';

(serverMissing() ? describe.skip : describe)(`the journal of two servers on ${SERVER_NAME}`, () => {
  let site: Site;
  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
  });
  afterAll(() => site?.drop());

  declareJournalOfWriters(() => [site.url]);
});

(galeraMissing() ? describe.skip : describe)('the journal of two servers on two nodes of Galera', () => {
  let nodes: Awaited<ReturnType<typeof startGalera>>;
  beforeAll(async () => {
    nodes = await startGalera();
  });
  afterAll(async () => {
    for (const node of nodes ?? []) await node.kill();
  });

  declareJournalOfWriters(() => nodes.map(({ url }) => url));
});
