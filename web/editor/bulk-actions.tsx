import { plural, TEXTS } from './catalogue.js';
import type { Bulk } from './use-bulk.js';

const WORDS: Readonly<Record<string, string>> = {
  publish: TEXTS.list.publish,
  draft: TEXTS.list.makeDrafts,
  trash: TEXTS.list.moveToTrash,
};

/** Chooses all records of a list, and changes those that are chosen. */
export function BulkActions({ bulk }: { bulk: Bulk }) {
  if (bulk.isEmpty) return null;
  return (
    <fieldset class="bulk" aria-label={TEXTS.list.several}>
      <label>
        <input
          type="checkbox"
          class="pick"
          checked={bulk.count > 0 && bulk.isAll}
          onChange={(event) => bulk.pickAll(event.currentTarget.checked)}
        />
        {TEXTS.list.selectAll}
      </label>
      {bulk.count > 0 && (
        <>
          <span class="muted">{plural(TEXTS.list.selected, bulk.count)}</span>
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
