// Exits with 0 when the server of this environment answers (docs/operating.md#probes), else with 1; for container health checks.
const { PORT = '3000', HOST = '127.0.0.1' } = process.env;
const everywhere = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
const host = everywhere[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);

fetch(`http://${host}:${PORT || 3000}/livez`, { signal: AbortSignal.timeout(5000) }).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
