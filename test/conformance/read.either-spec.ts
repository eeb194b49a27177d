import { declareRecordedCases, type Exceptions } from '../suites/recorded-cases.js';
import { type DatabaseName, describeMariadbFirst } from '../support/sites.js';

const FOLDING = 'SQLite tells é from e, MySQL does not';
const PROSE = 'the message of an error is ours to write';

const ACCENTS: Exceptions = {
  'events list: search été': FOLDING,
  'categories list: search é': FOLDING,
  'tags list: search é': FOLDING,
};

const MESSAGES: Exceptions = {
  'protocol: _envelope /events/9999999': PROSE,
  'protocol: _envelope /events?page=abc': PROSE,
};

const onSqlite = (database: DatabaseName, exceptions: Exceptions): Exceptions =>
  database === 'SQLite' ? exceptions : {};

describeMariadbFirst('recorded reads', (database) => {
  declareRecordedCases('site-a/read', database, onSqlite(database, ACCENTS));
});

describeMariadbFirst('further recorded reads', (database) => {
  declareRecordedCases('site-a/read-more', database, MESSAGES);
});
