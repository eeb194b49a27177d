import { BulkActions } from './bulk-actions.js';
import type { Resource, Row } from './model.js';
import { may } from './rights.js';
import { useShell } from './shell.js';
import { STATUS_WORDS, titleOf } from './texts.js';
import { useBulk } from './use-bulk.js';
import { useRemoval } from './use-removal.js';

/** The table of a list, with what may be done with its records one by one and together. */
export function Rows({
  resource,
  items,
  onChange,
}: {
  resource: Resource;
  items: readonly Row[];
  onChange: () => void;
}) {
  const { session } = useShell();
  const { kind, title, label } = resource;
  const columns = resource.columns.filter(({ may: mayView }) => mayView?.(session) ?? true);
  const removal = useRemoval(resource, onChange);
  const bulk = useBulk(resource, items, onChange);
  return (
    <>
      <BulkActions bulk={bulk} />
      <div class="card rows">
        <table>
          <caption class="unseen">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{title === 'title' ? 'Title' : 'Name'}</th>
              {columns.map((column) => (
                <th key={column.label} scope="col">
                  {column.label}
                </th>
              ))}
              <th scope="col">
                <span class="unseen">Actions</span>
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
                        aria-label={`Select ${name}`}
                        checked={bulk.isPicked(row)}
                        onChange={(event) => bulk.pick(row, event.currentTarget.checked)}
                      />
                    )}
                    {!isTrashed && may(session, 'edit', resource, row) ? (
                      <a href={`#/${kind}/${row.id}`} dir="auto">
                        {name}
                      </a>
                    ) : (
                      name
                    )}
                    {status !== 'publish' && <span class="badge">{STATUS_WORDS[status] ?? status}</span>}
                    {row['hide_from_listings'] === true && <span class="badge">Hidden</span>}
                  </th>
                  {columns.map((column) => {
                    const note = column.note?.(row);
                    return (
                      <td key={column.label} data-label={column.label}>
                        {column.cell?.(row) ?? column.text(row)}
                        {note && <span class="note">{note}</span>}
                      </td>
                    );
                  })}
                  <td class="does">
                    {isTrashed && may(session, 'edit', resource, row) && (
                      <button
                        type="button"
                        class="small"
                        aria-label={`Restore ${name}`}
                        onClick={() => removal.restore(row)}
                      >
                        Restore
                      </button>
                    )}
                    {!isTrashed && may(session, 'delete', resource, row) && (
                      <button
                        type="button"
                        class="small"
                        aria-label={`${removal.shortWord} ${name}`}
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
    </>
  );
}
