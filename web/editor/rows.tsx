import { fill } from '../../src/pages/texts/fill.js';
import { BulkActions } from './bulk-actions.js';
import { TEXTS } from './catalogue.js';
import type { Resource, Row } from './model.js';
import { mayMove, useMoveDialog } from './move/move-dialog.js';
import { isAt, type Place } from './move/use-move.js';
import { may, mayCreate } from './rights.js';
import { type FindRow, type RowFocus, rowAt, rowOf } from './row-focus.js';
import { useShell } from './shell.js';
import { STATUS_WORDS, titleOf } from './texts.js';
import { useBulk } from './use-bulk.js';
import { useRemoval } from './use-removal.js';

/** The table of a list, with what may be done with its records one by one and together. */
export function Rows({
  resource,
  items,
  focus,
  onChange,
}: {
  resource: Resource;
  items: readonly Row[];
  focus: RowFocus;
  /** Called after a change, with the row that gets the focus once the list is read again. */
  onChange: (row: FindRow) => void;
}) {
  const { session, settings } = useShell();
  const { kind, title, label } = resource;
  const next = (row: Row) => onChange(rowAt(items.indexOf(row)));
  const removal = useRemoval(resource, next, ({ id }) => onChange(rowOf((row) => row.id === id)));
  const bulk = useBulk(resource, items, () => onChange(() => -1));
  const mover = useMoveDialog(resource, (place: Place) => onChange(rowOf((row) => isAt(row, place))));
  const columns = resource.columns.filter(({ may: mayView }) => mayView?.(session) ?? true);
  return (
    <>
      <BulkActions bulk={bulk} />
      <div class="card rows">
        <table ref={focus.table}>
          <caption class="unseen">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{title === 'title' ? TEXTS.fields.title : TEXTS.fields.name}</th>
              {columns.map((column) => (
                <th key={column.label} scope="col">
                  {column.label}
                </th>
              ))}
              <th scope="col">
                <span class="unseen">{TEXTS.list.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((row) => {
              const name = titleOf(row, title);
              const status = String(row['status'] ?? 'publish');
              const isTrashed = status === 'trash';
              return (
                <tr key={row.id}>
                  <th scope="row">
                    {bulk.mayChange(row) && (
                      <input
                        type="checkbox"
                        class="pick"
                        aria-label={fill(TEXTS.list.select, { title: name })}
                        checked={bulk.isPicked(row)}
                        onChange={(event) => bulk.pick(row, event.currentTarget.checked)}
                      />
                    )}
                    {!isTrashed && may(session, 'edit', resource, row) ? (
                      <a href={`#/${kind}/${row.id}`} dir="auto">
                        <bdi>{name}</bdi>
                      </a>
                    ) : (
                      <bdi>{name}</bdi>
                    )}
                    {status !== 'publish' && <span class="badge">{STATUS_WORDS[status] ?? status}</span>}
                    {row['hide_from_listings'] === true && <span class="badge">{TEXTS.list.hidden}</span>}
                  </th>
                  {columns.map((column) => {
                    const note = column.note?.(row);
                    return (
                      <td key={column.label} data-label={column.label}>
                        {column.cell?.(row) ?? <bdi>{column.text(row)}</bdi>}
                        {note && <span class="note">{note}</span>}
                      </td>
                    );
                  })}
                  <td class="does">
                    {status === 'publish' &&
                      typeof row['url'] === 'string' &&
                      may(session, 'edit', resource, row) && (
                        <a
                          class="button small"
                          href={row['url']}
                          rel="noreferrer"
                          target="_blank"
                          aria-label={fill(TEXTS.list.showOf, { title: name })}
                        >
                          {TEXTS.list.show}
                        </a>
                      )}
                    {!isTrashed &&
                      !resource.isTerm &&
                      !resource.isDeclared &&
                      mayCreate(session, resource) && (
                        <a
                          class="button small"
                          href={`#/${kind}/new?copy=${row.id}`}
                          aria-label={fill(TEXTS.list.duplicateOf, { title: name })}
                        >
                          {TEXTS.form.duplicate}
                        </a>
                      )}
                    {mayMove(session, settings, resource, row) && (
                      <button
                        type="button"
                        class="small"
                        aria-label={fill(TEXTS.move.openOf, { title: name })}
                        onClick={() => mover.open(row)}
                      >
                        {TEXTS.move.open}
                      </button>
                    )}
                    {isTrashed && may(session, 'edit', resource, row) && (
                      <button
                        type="button"
                        class="small"
                        aria-label={fill(TEXTS.list.restoreOf, { title: name })}
                        onClick={() => removal.restore(row)}
                      >
                        {TEXTS.list.restore}
                      </button>
                    )}
                    {!isTrashed && may(session, 'delete', resource, row) && (
                      <button
                        type="button"
                        class="small"
                        aria-label={removal.wordOf(name)}
                        onClick={() => removal.remove(row)}
                      >
                        {removal.shortWord}
                      </button>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {mover.dialog}
    </>
  );
}
