/** The script of the page at `/docs`: it filters operations and sends requests. */
export const DOCS_SCRIPT = `'use strict';
const address = new URL('../openapi.json', document.currentScript.src).href;
const operations = [...document.querySelectorAll('details.operation')];
const byId = (id) => document.getElementById(id);
const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

byId('docs-tools').hidden = false;
const filter = byId('docs-filter');
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const operation of operations) {
    const text = operation.textContent.toLowerCase();
    operation.hidden = !words.every((word) => text.includes(word));
    if (!operation.hidden) shown += 1;
  }
  for (const section of document.querySelectorAll('main section'))
    section.hidden = !section.querySelector('details.operation:not([hidden])');
  byId('docs-found').textContent = words.length === 0 ? '' : shown + ' of ' + operations.length + ' operations';
});

const openNamed = () => {
  const found = byId(decodeURIComponent(location.hash.slice(1)).split('/').pop());
  if (!found || !found.matches('details.operation')) return;
  found.open = true;
  found.scrollIntoView();
};
addEventListener('hashchange', openNamed);

const resolve = (api, value) =>
  value && value.$ref ? value.$ref.split('/').slice(1).reduce((part, name) => part[name], api) : value;

/** A field with its label; ids are unique on the page. */
const field = (operation, name, label, element) => {
  element.id = operation.id + '-' + name;
  element.name = name;
  return make('p', {}, make('label', { htmlFor: element.id, textContent: label }), element);
};

function addForm(api, operation) {
  const { method, path } = operation.dataset;
  const described = api.paths[path][method];
  const parameters = (described.parameters || []).map((one) => resolve(api, one));
  const content = described.requestBody && described.requestBody.content['application/json'];
  const form = make('form', {}, make('h3', { textContent: 'Send a request' }));
  for (const { name, in: place, required } of parameters) {
    if (place === 'cookie') continue;
    const input = make('input', { type: 'text', required: Boolean(required), autocomplete: 'off' });
    input.dataset.place = place;
    form.append(field(operation, name, name + (required ? ' (required)' : ''), input));
  }
  if (content) {
    const text = JSON.stringify(content.example || {}, null, 2);
    form.append(field(operation, 'body', 'Body (JSON)', make('textarea', { value: text, rows: 12, spellcheck: false })));
  }
  const status = make('p', { className: 'status', role: 'status' });
  const output = make('pre', { tabIndex: 0, hidden: true });
  output.setAttribute('role', 'region');
  output.setAttribute('aria-label', 'Response of ' + operation.id);
  form.append(make('button', { textContent: 'Send' }), status, output);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form, operation, status, output);
  });
  operation.append(form);
}

async function send(form, { dataset: { method, path } }, status, output) {
  const headers = {};
  const query = new URLSearchParams();
  let place = path;
  let body;
  for (const input of form.querySelectorAll('input, textarea')) {
    if (input.value === '') continue;
    if (input.localName === 'textarea') {
      body = input.value;
      headers['Content-Type'] = 'application/json';
    } else if (input.dataset.place === 'path') place = place.replace('{' + input.name + '}', encodeURIComponent(input.value));
    else if (input.dataset.place === 'header') headers[input.name] = input.value;
    else query.append(input.name, input.value);
  }
  const user = byId('docs-user').value;
  const login = new TextEncoder().encode(user + ':' + byId('docs-password').value);
  if (user !== '') headers.Authorization = 'Basic ' + btoa(String.fromCharCode(...login));
  const api = await load();
  // Paths outside the namespaces have a server of their own.
  const own = api.paths[path][method].servers || api.paths[path].servers;
  const root = own ? own[0].url.replace(/\\/$/, '') : byId('docs-server').value;
  const url = new URL(root + place, address);
  if ([...query].length > 0) url.search = query;
  status.textContent = 'Sending …';
  try {
    // With a login cookie the entered password would be ignored.
    const credentials = user === '' ? 'same-origin' : 'omit';
    const response = await fetch(url, { method: method.toUpperCase(), headers, body, credentials });
    const text = await response.text();
    status.textContent = response.status + ' ' + response.statusText + ' · ' + url.href;
    output.textContent = /json/.test(response.headers.get('Content-Type')) ? JSON.stringify(JSON.parse(text), null, 2) : text;
    output.hidden = false;
  } catch (error) {
    status.textContent = 'No response: ' + error.message;
  }
}

let pending;
const load = () => (pending ??= fetch(address).then((response) => response.json()));
load().then((api) => {
  for (const { url, description } of api.servers)
    byId('docs-server').append(new Option(description ? url + ' – ' + description : url, url));
});
for (const operation of operations)
  operation.addEventListener('toggle', async () => {
    if (!operation.open || operation.dataset.isReady) return;
    operation.dataset.isReady = 'yes';
    addForm(await load(), operation);
  });
openNamed();
`;
