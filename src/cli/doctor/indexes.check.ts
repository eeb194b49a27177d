import { indexStates } from '../indexes.js';
import type { Check } from './check.js';

export const indexesCheck: Check = {
  kind: 'indexes',
  title: 'indexes that would make lists faster',
  tables: ['tec_occurrences', 'postmeta'],
  serverOnly: true,
  async find(site) {
    const states = await indexStates(site.database.source, site.database.tablePrefix);
    const missing = states.filter(({ isThere }) => !isThere);
    const bytes = missing.reduce((sum, state) => sum + state.bytes, 0);
    return {
      name: 'indexes-missing',
      severity: 'note',
      what: `${missing.length === 1 ? 'An index is' : `${missing.length} indexes are`} missing that would make lists faster`,
      examples: missing.map(({ name, table, columns }) => `${name} on ${table} (${columns})`),
      why: `It matters from about ten thousand events on; they would take about ${Math.max(1, Math.round(bytes / 1e6))} MB.`,
      advice: 'Make them: almanac indexes --apply',
    };
  },
};
