/** Directions of docs/architecture.md, "Who may import whom", as errors. */
const TEST = '\\.(test|spec)\\.tsx?$|(^|/)testing/|/test-[a-z-]+\\.tsx?$|^tests/|(^|/)bench/';

const apps = ['api', 'console', 'edge', 'standalone'];

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle makes two files one. Types included: a type that two files need stands in a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contract-stands-alone',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { path: '^(packages/(?!contract/)|apps/)' },
    },
    {
      name: 'plugin-kit-knows-only-the-contract',
      severity: 'error',
      from: { path: '^packages/plugin-kit/' },
      to: { path: '^(packages/plugins/|apps/)' },
    },
    {
      name: 'plugins-know-no-app',
      severity: 'error',
      from: { path: '^packages/plugins/', pathNot: TEST },
      to: { path: '^apps/' },
    },
    {
      name: 'plugins-stand-side-by-side',
      severity: 'error',
      comment: 'Only the generated registry knows all plugins.',
      from: { path: '^packages/plugins/(?!generated/)([^/]+)/' },
      to: { path: '^packages/plugins/', pathNot: '^packages/plugins/$1/' },
    },
    ...apps.map((app) => ({
      name: `apps-stand-side-by-side-${app}`,
      severity: 'error',
      comment: 'standalone starts the others as processes; nothing is imported across.',
      from: { path: `^apps/${app}/`, pathNot: TEST },
      to: { path: `^apps/(?!${app}/)` },
    })),
    {
      name: 'edge-handler-has-no-package',
      severity: 'error',
      comment: 'edge.ts becomes Lua: types and the kit of pure functions only.',
      from: { path: '^packages/plugins/[^/]+/edge\\.ts$' },
      to: {
        dependencyTypesNot: ['type-only', 'local', 'aliased-workspace'],
        pathNot: '^packages/(plugin-kit|contract|plugins)/',
      },
    },
    {
      name: 'features-stand-side-by-side',
      severity: 'error',
      from: { path: '^apps/console/src/features/([^/]+)/' },
      to: { path: '^apps/console/src/features/', pathNot: '^apps/console/src/features/$1/' },
    },
    ...[
      // Each layer of the console, from the lowest, and the layers that it must not know.
      ['ui', 'locales|app|domain|features|routes'],
      ['app', 'domain|features|routes'],
      ['domain', 'features|routes'],
      ['features', 'routes'],
    ].map(([layer, above]) => ({
      name: `console-${layer}-knows-no-layer-above`,
      severity: 'error',
      comment: 'routes put features together; features share domain; ui knows neither.',
      from: { path: `^apps/console/src/${layer}/` },
      to: { path: `^apps/console/src/(${above})/` },
    })),
    {
      name: 'modules-meet-at-services',
      severity: 'error',
      comment: 'A module is reached through its service.ts only, types included.',
      from: { path: '^apps/api/src/(modules/[^/]+|operator)/', pathNot: TEST },
      to: {
        path: '^apps/api/src/modules/',
        pathNot: ['^apps/api/src/$1/', '^apps/api/src/modules/[^/]+/service\\.ts$'],
      },
    },
    {
      name: 'modules-are-wired-by-module-and-service',
      severity: 'error',
      from: { path: '^apps/api/src/[^/]+\\.ts$', pathNot: TEST },
      to: { path: '^apps/api/src/modules/', pathNot: '^apps/api/src/modules/[^/]+/(module|service)\\.ts$' },
    },
    {
      name: 'platform-knows-no-module',
      severity: 'error',
      from: { path: '^apps/api/src/platform/', pathNot: TEST },
      to: { path: '^apps/api/src/modules/' },
    },
    {
      name: 'settings-know-no-code',
      severity: 'error',
      from: { path: '^apps/api/src/settings/', pathNot: TEST },
      to: { path: '^apps/api/src/(?!settings/)' },
    },
    {
      name: 'only-repositories-query',
      severity: 'error',
      comment: 'Drivers, query builders and calls of ClickHouse outside of repository.ts and platform.',
      from: {
        path: '^(apps/api/src/(modules|operator)|packages/plugins)/',
        pathNot: ['/(repository|[a-z-]+-repository)\\.ts$', TEST],
      },
      to: {
        path: ['(^|node_modules/)(pg|kysely|@clickhouse/client)(/|$)', '^apps/api/src/platform/clickhouse\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-tests-in-production',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: [TEST, '/cases\\.ts$', '^packages/plugin-kit/src/testing/'] },
      to: { path: ['\\.(test|spec)\\.tsx?$', '/cases\\.ts$', '(^|/)testing/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      // The runner's remaining imports are modules of nginx's LuaJIT.
      from: { pathNot: [TEST, '^apps/edge/src/runner/'] },
      to: { couldNotResolve: true, pathNot: '^(virtual:|/)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What is built here only: packages' own code often lies in a `dist`, and an excluded import breaks no rule.
    exclude: { path: ['^(apps|packages)/[^/]+/dist/', 'node_modules/\\.vite/'] },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'module', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
    cache: false,
  },
};
