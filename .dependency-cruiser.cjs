// Imports go one way: each layer may use those before it, and itself.
const LAYERS = [
  ['current'],
  ['errors'],
  ['config'],
  ['logging'],
  ['metrics'],
  ['hooks'],
  ['database'],
  ['wordpress'],
  ['ical'],
  ['calendar'],
  ['auth'],
  ['sharing'],
  ['http'],
  ['resources'],
  // What several resources share.
  ['linked-posts', 'event-terms'],
  ['venues', 'organizers', 'categories', 'tags'],
  ['events'],
  ['feeds'],
  ['core-routes'],
  ['documents', 'probes'],
  ['pages'],
  ['first-start', 'schedule'],
  ['plugins'],
  ['cli'],
];

// Pure functions and types that text and dates may use.
const PURE = [
  '^src/wordpress/(formatting|dates)/',
  '^src/wordpress/options/php-serialize\\.ts$',
  '^src/wordpress/media/image-object\\.ts$',
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
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...layerRules,
    {
      name: 'formatting-and-dates-are-pure',
      comment: 'Text and date functions know no database and no service.',
      severity: 'error',
      from: { path: '^src/wordpress/(formatting|dates)/' },
      to: { path: '^src/', pathNot: PURE },
    },
    {
      name: 'formatting-knows-no-framework',
      severity: 'error',
      from: { path: '^src/wordpress/formatting/' },
      to: { path: '^node_modules/(@nestjs|typeorm|express|rxjs)/' },
    },
    {
      name: 'resources-import-no-resource',
      comment: 'Among resources only events imports others.',
      severity: 'error',
      from: { path: '^src/(venues|organizers|categories|tags)/' },
      to: { path: '^src/(events|venues|organizers|categories|tags|documents)/', pathNot: '^src/$1/' },
    },
    {
      name: 'folders-import-no-entry-point',
      comment: 'app.module.ts, main.ts and the like put the folders together; nothing imports them back.',
      severity: 'error',
      from: { path: folders(LAYERS.flat().filter((name) => name !== 'cli')) },
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
      comment: 'Of the server, pages load what they share with its own HTML.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: '^src/pages/' },
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
      name: 'class-validator-in-parts',
      comment: 'Its own entry takes 4 MB in each server; http/class-validator.ts loads what is needed.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^node_modules/class-validator/', dependencyTypesNot: ['type-only'] },
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
