import type {
  ClassProvider,
  DynamicModule,
  ExistingProvider,
  FactoryProvider,
  Type,
  ValueProvider,
} from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { RateLimiter } from '../auth/rate-limiter.js';
import type { Clock } from '../common/clock.js';
import { CreateJobs1764100000000 } from '../database/migrations/1764100000000-create-jobs.js';
import { StartError } from '../database/start-error.js';
import type { PageTemplates } from '../pages/public/templates/page-templates.js';
import { JobsModule } from '../scheduler/jobs/jobs.module.js';
import type { ImageStore } from '../wordpress/media/image-store.js';
import type { Renderer } from '../wordpress/rendering/renderer.service.js';

type Part = Clock | Renderer | ImageStore | PageTemplates | RateLimiter;

/** A Nest provider whose `provide` is one of the five classes; it may inject exports of the plugin's module. */
export type Replacement =
  | ClassProvider<Part>
  | ValueProvider<Part>
  | FactoryProvider<Part>
  | ExistingProvider<Part>;

/** A TypeORM migration; its name ends in a time of 13 digits (milliseconds), which orders it among all. */
export type MigrationClass = Type<MigrationInterface>;

/** The class of a plugin's module, with its replaced parts and migrations as statics. */
interface PluginClass extends Type {
  readonly replaces?: readonly Replacement[];
  readonly migrations?: readonly MigrationClass[];
}

/** Any Nest module is a plugin. */
export type Plugin = PluginClass | DynamicModule;

export function classOf(plugin: Plugin): PluginClass {
  return 'module' in plugin ? plugin.module : plugin;
}

/** A static list of a plugin's class; throws a `StartError` if it is no list. */
export function listOf<K extends 'replaces' | 'migrations'>(
  plugin: PluginClass,
  key: K,
): NonNullable<PluginClass[K]> {
  const list: unknown = plugin[key] ?? [];
  if (!Array.isArray(list)) throw new StartError(`${plugin.name} has a static ${key} that is no list.`);
  return list as NonNullable<PluginClass[K]>;
}

/** Static methods that return a dynamic module. */
const MAKERS = ['forRoot', 'forRootAsync', 'register', 'registerAsync', 'forFeature'];
/** Metadata of `@Module`. */
const MODULE_PARTS = ['imports', 'providers', 'controllers', 'exports'];

/** Throws a `StartError` for a class that needs the options of its `forRoot`. */
export function checkOptions(plugin: unknown, who: string): void {
  if (typeof plugin !== 'function') return;
  if (plugin.prototype === undefined && MAKERS.includes(plugin.name))
    throw new StartError(`${who} is the function ${plugin.name}, no module: give what it returns.`);
  const maker = MAKERS.find((name) => typeof Reflect.get(plugin, name) === 'function');
  const isEmpty = MODULE_PARTS.every((part) => !(Reflect.getMetadata(part, plugin)?.length > 0));
  if (!isEmpty || plugin.prototype === undefined) return;
  if (!/^class\b/.test(Function.prototype.toString.call(plugin)))
    throw new StartError(`${who} is the function ${plugin.name}, no module: give what it returns.`);
  if (maker !== undefined)
    throw new StartError(
      `${who} is the bare class ${plugin.name}, a module without anything in it: give what ${plugin.name}.${maker}(…) returns.`,
    );
}

export function nameOf(token: unknown): string {
  return typeof token === 'function' ? token.name : String(token);
}

/** The migrations of all plugins; throws a `StartError` for an invalid one, and for two of one name. */
export function migrationsOf(plugins: readonly Plugin[]): MigrationClass[] {
  const owners = new Map<string, string>();
  const ofJobs = plugins.some((plugin) => imports(plugin, JobsModule)) ? [CreateJobs1764100000000] : [];
  const own = [...new Set(plugins.map(classOf))].flatMap((plugin) => {
    const migrations = listOf(plugin, 'migrations');
    for (const migration of migrations) {
      const name = nameOf(migration);
      if (typeof migration?.prototype?.up !== 'function' || !/\D\d{13}$/.test(name))
        throw new StartError(
          `${plugin.name} brings ${name}, which is no class of a migration whose name ends in 13 digits.`,
        );
      const other = owners.get(name);
      if (other !== undefined)
        throw new StartError(
          `Both ${other} and ${plugin.name} bring a migration ${name}: rename one of them.`,
        );
      owners.set(name, plugin.name);
    }
    return migrations;
  });
  return [...ofJobs, ...own];
}

/** Whether a module imports another one, by itself or by its imports. */
function imports(one: unknown, wanted: Type, seen = new Set<unknown>()): boolean {
  if (one === wanted) return true;
  if (!one || seen.has(one) || (typeof one !== 'function' && typeof one !== 'object')) return false;
  seen.add(one);
  const { module, imports: further } = one as Partial<DynamicModule>;
  const own: unknown = typeof one === 'function' ? Reflect.getMetadata('imports', one) : further;
  const inner = [module, ...(Array.isArray(own) ? own : [])];
  return inner.some((each) => imports(each, wanted, seen));
}
