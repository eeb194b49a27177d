import type { Bulk } from './use-bulk.js';

const WORDS: Readonly<Record<string, string>> = {
  publish: 'Publish',
  draft: 'Make drafts',
  trash: 'Move to trash',
};

/** Chooses all records of a list, and changes those that are chosen. */
export function BulkActions({ bulk }: { bulk: Bulk }) {
  if (bulk.isEmpty) return null;
  return (
    <fieldset class="bulk" aria-label="Several records">
      <label>
        <input
          type="checkbox"
          class="pick"
          checked={bulk.count > 0 && bulk.isAll}
          onChange={(event) => bulk.pickAll(event.currentTarget.checked)}
        />
        Select all on this page
      </label>
      {bulk.count > 0 && (
        <>
          <span class="muted">{bulk.count} selected</span>
          {bulk.offered.map((status) => (
            <button
              key={status}
              type="button"
              class="small"
              disabled={bulk.isBusy}
              onClick={() => bulk.change(status)}
            >
              {WORDS[status]}
            </button>
          ))}
        </>
      )}
    </fieldset>
  );
}
