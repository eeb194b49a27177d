// Imports go one way: each layer may use those before it, and itself.
const LAYERS = [
  ['lib', 'common'],
  ['config'],
  ['observability'],
  ['cache', 'database'],
  ['wordpress'],
  ['calendar'],
  ['auth'],
  ['cluster'],
  ['http'],
  ['resources'],
  ['changes'],
  ['webhooks'],
  ['feeds', 'imports', 'wp-core-api'],
  ['openapi', 'health'],
  ['pages'],
  ['setup', 'scheduler'],
  ['plugins'],
  ['app'],
  ['cli'],
];

const folders = (names) => `^src/(${names.join('|')})/`;

const layerRules = LAYERS.flatMap((names, index) => {
  const later = LAYERS.slice(index + 1).flat();
  return later.length === 0
    ? []
    : [
        {
          name: `${names.join('-')}-imports-no-later-layer`,
          severity: 'error',
          from: { path: folders(names) },
          to: { path: folders(later) },
        },
      ];
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Circles of types count as well.',
      from: {},
      to: { circular: true },
    },
    ...layerRules,
    {
      name: 'lib-is-pure',
      comment: 'Pure code knows no framework, no database and no environment.',
      severity: 'error',
      from: { path: '^src/lib/' },
      to: { path: '^(src/(?!lib/)|node_modules/(@nestjs|typeorm|express|rxjs|mysql2)/)' },
    },
    {
      name: 'resources-import-no-resource',
      comment: 'Among resources only events imports others.',
      severity: 'error',
      from: { path: '^src/resources/(base|record-cache|linked-posts|terms|venues|organizers|categories|tags)/' },
      to: { path: '^src/resources/(events|venues|organizers|categories|tags)/', pathNot: '^src/resources/$1/' },
    },
    {
      name: 'base-knows-no-special-resources',
      comment: 'What all resources share comes before what some share.',
      severity: 'error',
      from: { path: '^src/resources/(base|record-cache)/' },
      to: { path: '^src/resources/(linked-posts|terms)/' },
    },
    {
      name: 'folders-import-no-entry-point',
      comment: 'app.module.ts, main.ts and the like put the folders together; nothing imports them back.',
      severity: 'error',
      from: { path: folders(LAYERS.flat().filter((name) => name !== 'app' && name !== 'cli')) },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'every-folder-has-a-layer',
      comment: 'A new folder below src is added to LAYERS.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: folders(LAYERS.flat()) },
      to: {},
    },
    {
      name: 'src-imports-nothing-around-it',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|scripts|ormconfig)' },
    },
    {
      name: 'browsers-load-pure-functions',
      comment: 'Of the server, pages load what they share with its own HTML, and pure functions.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: '^src/(pages|lib)/' },
    },
    {
      name: 'nothing-uses-the-front-door',
      comment: 'almanac.ts and testing.ts are what the package shows to others.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/(almanac|testing)\\.ts$' },
    },
    {
      name: 'only-the-front-door-re-exports',
      comment: 'almanac.ts is the one barrel file.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/almanac\\.ts$' },
      to: { path: '^src/', dependencyTypes: ['export'] },
    },
    {
      name: 'examples-use-the-front-door',
      comment: 'Examples see of Almanac what any other package sees.',
      severity: 'error',
      from: { path: '^examples/([^/]+)/' },
      to: {
        path: '^(src|test|bench|scripts|dist|examples|ormconfig)\\b',
        pathNot: ['^src/(almanac|testing)\\.ts$', '^examples/$1/'],
      },
    },
    {
      name: 'client-stands-alone',
      comment: 'almanac-client runs in browsers, and sees of Almanac what openapi.json says.',
      severity: 'error',
      from: { path: '^packages/client/' },
      to: { pathNot: '^(packages/client/src|node_modules/openapi-fetch)/' },
    },
    {
      name: 'mcp-stands-on-the-client',
      comment: 'almanac-mcp reaches the calendar through almanac-client alone.',
      severity: 'error',
      from: { path: '^packages/mcp/' },
      to: {
        pathNot: '^(packages/(mcp|client)/src|node_modules/(@modelcontextprotocol/sdk|commander))/',
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'no-unresolved-import',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-development-package',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: '^examples/[^/]+/dist/',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
