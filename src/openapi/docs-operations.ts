import { type Html, html } from '../lib/html.js';

interface Reference {
  $ref: string;
}

interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  enum?: readonly unknown[];
  default?: unknown;
  items?: Schema;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  description?: string;
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
}

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  security?: readonly object[];
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: { content?: Readonly<Record<string, { schema?: Schema }>> };
  responses?: Readonly<Record<string, { description?: string } | Reference>>;
}

/** What the page shows of `/openapi.json`. */
export interface ApiDocument {
  info: { version: string; description?: string };
  security?: readonly object[];
  tags?: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** The tag of operations without one. */
const OTHERS = 'others';

/** All operations by tag, each closed. */
export function operationSections(document: ApiDocument): Html {
  const byTag = new Map<string, Html[]>((document.tags ?? []).map(({ name }) => [name, []]));
  for (const [path, item] of Object.entries(document.paths))
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      const tag = operation.tags?.[0] ?? OTHERS;
      byTag.set(tag, [...(byTag.get(tag) ?? []), operationHtml({ document, path, method, operation })]);
    }
  const descriptions = new Map(document.tags?.map(({ name, description }) => [name, description]));
  const sections = [...byTag].filter(([, operations]) => operations.length > 0);
  return html`${sections.map(
    ([tag, operations]) => html`<section>
<h2>${tag}</h2>
<p>${inline(descriptions.get(tag) ?? '')}</p>
${operations}</section>
`,
  )}`;
}

interface Described {
  document: ApiDocument;
  path: string;
  method: string;
  operation: Operation;
}

function operationHtml({ document, path, method, operation }: Described): Html {
  const {
    summary = '',
    description,
    operationId = `${method}${path}`,
    requestBody,
    responses = {},
  } = operation;
  const security = operation.security ?? document.security ?? [];
  const needsLogin = security.length > 0 && security.every((way) => Object.keys(way).length > 0);
  const parameters = (operation.parameters ?? []).map((one) => resolved<Parameter>(document, one));
  const [body] = Object.values(requestBody?.content ?? {});
  const fields = body?.schema && resolved<Schema>(document, body.schema);
  return html`<details class="operation" id="${operationId}" data-method="${method}" data-path="${path}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code> <span>${summary}</span>${
    needsLogin && html` <span class="login">login</span>`
  }</summary>
${description !== undefined && html`<p>${inline(description)}</p>\n`}${list(
  'Parameters',
  parameters.map(({ name, in: place, required, schema, description: text }) => ({
    name,
    note: [typeOf(schema), place, required && 'required'],
    text: text ?? '',
  })),
)}${list(
  'Body',
  Object.entries(fields?.properties ?? {}).map(([name, schema]) => ({
    name,
    note: [typeOf(schema), fields?.required?.includes(name) && 'required'],
    text: schema.description ?? '',
  })),
)}${list(
  'Responses',
  Object.entries(responses).map(([status, response]) => ({
    name: status,
    note: [],
    text: resolved<{ description?: string }>(document, response).description ?? '',
  })),
)}</details>
`;
}

interface Entry {
  name: string;
  note: readonly (string | false | undefined)[];
  text: string;
}

function list(heading: string, entries: readonly Entry[]): Html | false {
  if (entries.length === 0) return false;
  return html`<h3>${heading}</h3>
<dl>${entries.map(
    ({ name, note, text }) =>
      html`<dt><code>${name}</code> <span>${note.filter(Boolean).join(', ')}</span></dt><dd>${inline(text)}</dd>\n`,
  )}</dl>
`;
}

/** The component that a reference names, or the object itself. */
function resolved<T extends object>({ components }: ApiDocument, value: T | Reference | Schema): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [kind = '', name = ''] = value.$ref.split('/').slice(2);
  return (components[kind]?.[name] ?? {}) as T;
}

function typeOf(schema: Schema | undefined): string {
  if (!schema) return '';
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  const { type, format, items, anyOf, enum: values, default: fallback } = schema;
  const own = items ? `list of ${typeOf(items) || 'values'}` : [type ?? []].flat().join(' or ');
  const some = own || [...new Set(anyOf?.map((one) => typeOf(one)))].filter(Boolean).join(' or ');
  const named = values && values.length > 1 ? `one of ${values.join(', ')}` : some;
  return [named, format, fallback !== undefined && `by default ${JSON.stringify(fallback)}`]
    .filter(Boolean)
    .join(', ');
}

/** Text with `code`, **bold** and *emphasized* parts. */
export function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/);
  return html`${parts.map((part, at) => {
    if (at % 2 === 0) return part;
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**')
      ? html`<strong>${part.slice(2, -2)}</strong>`
      : html`<em>${part.slice(1, -1)}</em>`;
  })}`;
}
