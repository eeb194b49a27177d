import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../src/pages/texts/fill.js';
import { useAuthorName } from './authors/author-names.js';
import { TEXTS } from './catalogue.js';
import { type Choice, type Kind, type Resource, resourceOf } from './model.js';
import { Picker } from './picker.js';
import { recordsOf } from './records.js';
import { mayCreate } from './rights.js';
import type { ListPlace } from './route.js';
import { useShell } from './shell.js';
import { titleOf } from './texts.js';
import { SORTS } from './use-list.js';

interface ListFiltersProps {
  resource: Resource;
  place: ListPlace;
  /** Whether a month is the view, which has its own order and buttons. */
  isMonth?: boolean;
  onChange: (changes: Partial<ListPlace>) => void;
}

/** The order of a list, and what narrows it: a month, and records that its records are linked to. */
export function ListFilters({ resource, place, isMonth = false, onChange }: ListFiltersProps) {
  const { session } = useShell();
  const filters = (resource.filters ?? []).filter(({ may }) => may?.(session) ?? true);
  const isNarrowed = (place.month !== '' && !isMonth) || Object.keys(place.filters).length > 0;
  const [isOpen, setOpen] = useState(isNarrowed || place.sort !== '');
  const filtered = (name: string, id: number | undefined) => {
    const { [name]: _, ...others } = place.filters;
    onChange({ filters: id === undefined ? others : { ...others, [name]: id } });
  };
  return (
    <details class="narrow" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{isMonth ? TEXTS.list.filter : TEXTS.list.filterAndSort}</summary>
      <div class="narrow-fields">
        {!isMonth && (
          <div>
            <label for="sort">{TEXTS.list.sortBy}</label>
            <select
              id="sort"
              value={place.sort}
              onChange={(event) => onChange({ sort: event.currentTarget.value })}
            >
              <option value="">{TEXTS.list.usualOrder}</option>
              {Object.entries(SORTS).map(([value, { label }]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        )}
        {!isMonth && filters.length > 0 && mayCreate(session, resource) && (
          <div>
            <label for="month">{TEXTS.list.month}</label>
            <input
              id="month"
              type="month"
              value={place.month}
              onChange={(event) => onChange({ month: event.currentTarget.value })}
            />
          </div>
        )}
        {filters.map(({ name, label, of }) => (
          <div key={name}>
            <label for={`filter-${name}`}>{label}</label>
            <RecordFilter
              id={`filter-${name}`}
              of={of}
              value={place.filters[name]}
              onChange={(id) => filtered(name, id)}
            />
          </div>
        ))}
        {isNarrowed && (
          <button type="button" onClick={() => onChange({ ...(!isMonth && { month: '' }), filters: {} })}>
            {TEXTS.list.clear}
          </button>
        )}
      </div>
    </details>
  );
}

/** Chooses one record by typing; its name is read where only its number is known. */
function RecordFilter({
  id,
  of,
  value,
  onChange,
}: {
  id: string;
  of: Kind;
  value: number | undefined;
  onChange: (id: number | undefined) => void;
}) {
  const { session, resources } = useShell();
  const [known, setKnown] = useState<Choice>();
  const resource = resourceOf(resources, of);
  const isKnown = known?.id === value;
  useEffect(() => {
    if (value === undefined || isKnown || !resource) return;
    const abort = new AbortController();
    recordsOf(session.client, resource)
      .read(value, abort.signal)
      .then(
        (row) => setKnown({ id: value, label: titleOf(row, resource.title) }),
        () => setKnown({ id: value, label: fill(TEXTS.list.number, { n: value }) }),
      );
    return () => abort.abort();
  }, [value, isKnown, resource]);
  const author = useAuthorName(of === 'authors' ? (value ?? 0) : 0);
  const label = author ?? (isKnown && known ? known.label : fill(TEXTS.list.number, { n: value ?? '' }));
  return (
    <Picker
      id={id}
      of={of}
      many={false}
      isFilter
      value={value === undefined ? [] : [{ id: value, label }]}
      describedBy=""
      isInvalid={false}
      onChange={([choice]) => {
        if (choice) setKnown(choice);
        onChange(choice?.id);
      }}
    />
  );
}
