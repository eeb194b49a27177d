import { type DynamicModule, Module } from '@nestjs/common';
import { ChangesModule } from './changes/changes.module.js';
import { ClusterModule } from './cluster/cluster.module.js';
import { HooksModule } from './common/hooks/hooks.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/env.js';
import { DatabaseModule } from './database/database.module.js';
import { FeedsModule } from './feeds/feeds.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { PagesModule } from './pages/pages.module.js';
import { GrantsModule } from './plugins/grants.module.js';
import { PartsModule } from './plugins/parts.module.js';
import { migrationsOf, type Plugin } from './plugins/plugin.js';
import { ResourcesModule } from './resources/base/resource.module.js';
import { CategoriesModule } from './resources/categories/categories.module.js';
import { EventsModule } from './resources/events/events.module.js';
import { OrganizersModule } from './resources/organizers/organizers.module.js';
import { TagsModule } from './resources/tags/tags.module.js';
import { VenuesModule } from './resources/venues/venues.module.js';
import { SchedulerModule } from './scheduler/scheduler.module.js';
import { SetupModule } from './setup/setup.module.js';
import { useConfiguredZoneData } from './wordpress/use-zone-data.js';
import { WpCoreApiModule } from './wp-core-api/wp-core-api.module.js';

/** The whole application: the base, the five resources, and plugins. */
@Module({})
export class AppModule {
  /** `migrateBy`: the command that runs the migrations of these plugins. */
  static forRoot({
    env,
    plugins = [],
    migrateBy = 'almanac migrate',
  }: {
    env: Environment;
    plugins?: readonly Plugin[];
    migrateBy?: string;
  }): DynamicModule {
    useConfiguredZoneData(env);
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(env),
        ObservabilityModule,
        DatabaseModule.forRoot(env, migrationsOf(plugins), migrateBy),
        ClusterModule,
        PartsModule.forRoot(plugins),
        HooksModule,
        HttpModule,
        ResourcesModule,
        EventsModule,
        VenuesModule,
        OrganizersModule,
        CategoriesModule,
        TagsModule,
        ChangesModule,
        OpenApiModule,
        PagesModule,
        HealthModule,
        WpCoreApiModule,
        FeedsModule,
        SetupModule,
        SchedulerModule,
        GrantsModule,
        ...plugins,
      ],
    };
  }
}
