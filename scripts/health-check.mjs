// Exits with 0 when the server of this environment answers a list of events, else with 1; for container health checks.
const { PORT = '3000', PATH_PREFIX = '', API_NAMESPACES = 'cal/events/v1' } = process.env;
const [namespace] = API_NAMESPACES.split(',');
const url = `http://127.0.0.1:${PORT}${PATH_PREFIX}/${namespace.trim()}/events?per_page=1`;

fetch(url, { signal: AbortSignal.timeout(5000) }).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
