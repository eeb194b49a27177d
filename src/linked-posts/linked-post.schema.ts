/** Members that venues and organizers always have; empty ones are left out. */
export const ALWAYS_THERE = [
  'id',
  'status',
  'date',
  'date_utc',
  'modified',
  'modified_utc',
  'global_id',
  'global_id_lineage',
];
