import sql from 'sql-template-tag';
import type { Check } from './check.js';

export const webhooksCheck: Check = {
  kind: 'webhooks',
  title: 'webhooks that were disabled, or missed changes',
  tables: ['almanac_webhooks'],
  async find(site) {
    const table = site.table('almanac_webhooks');
    const disabled = await site.rows<{ id: number; reason: string }>(
      sql`SELECT id, disabled_reason AS reason FROM ${table} WHERE is_enabled = 0 AND disabled_reason <> '' ORDER BY id`,
    );
    const missed = await site.rows<{ id: number }>(
      sql`SELECT id FROM ${table} WHERE missed_at > 0 ORDER BY id`,
    );
    return [
      {
        name: 'webhooks-disabled',
        severity: 'warning',
        what: `${disabled.length === 1 ? 'A webhook is' : `${disabled.length} webhooks are`} disabled: ${disabled[0]?.reason ?? ''}`,
        examples: disabled.map(({ id }) => id),
        why: 'Its receiver does not hear of changes.',
        advice: 'Repair the receiver, then: almanac webhook enable <id>. What has waited is sent then.',
      },
      {
        name: 'webhooks-missed',
        severity: 'note',
        what: `${missed.length === 1 ? 'A webhook has' : `${missed.length} webhooks have`} missed changes that the journal no longer had`,
        examples: missed.map(({ id }) => id),
        why: 'What its receiver knows may be old.',
        advice: 'Let the receiver read all records once; a larger CHANGES_DAYS keeps changes for longer.',
      },
    ];
  },
};
