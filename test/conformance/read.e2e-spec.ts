import { describeDatabases } from '../support/sites.js';
import { type Exceptions, replayCases } from './replay-cases.js';

const FOLDING = 'SQLite tells é from e, MySQL does not';

const ACCENTS: Exceptions = {
  'events list: search été': FOLDING,
  'categories list: search é': FOLDING,
  'tags list: search é': FOLDING,
};

describeDatabases('recorded reads', (database) => {
  replayCases('read', database, database === 'SQLite' ? ACCENTS : {});
});
