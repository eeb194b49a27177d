import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CalendarModule } from '../../calendar/calendar.module.js';
import { Database } from '../../database/database.js';
import { TableVersions } from '../../database/table-versions.service.js';
import { HttpModule } from '../../http/http.module.js';
import { Metrics } from '../../observability/metrics/metrics.service.js';
import { MediaModule } from '../../wordpress/media/media.module.js';
import { SearchFilter } from '../../wordpress/search-index/search-filter.js';
import { WordPressModule } from '../../wordpress/wordpress.module.js';
import { ResourceModule } from '../base/resource.module.js';
import { LinkedPostsModule } from '../linked-posts/linked-posts.module.js';
import { EventTermsModule } from '../terms/event-terms.module.js';
import { VenuesModule } from '../venues/venues.module.js';
import { EventLoader } from './event-loader.service.js';
import { EventTablesService } from './event-tables.service.js';
import { EVENT } from './event-type.js';
import { EventWriter } from './event-writer.service.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { EventIndexService } from './index/event-index.service.js';
import { MissingDatesWarning } from './missing-dates-warning.service.js';
import { Occurrences } from './occurrences.service.js';
import { EventSeries } from './recurrence/event-series.service.js';
import { SeriesCopy } from './recurrence/series-copy.service.js';
import { SeriesHorizon } from './recurrence/series-horizon.service.js';
import { SeriesWriter } from './recurrence/series-writer.service.js';
import { Recurrences } from './recurrences.service.js';
import { TecEvent } from './tec-event.entity.js';
import { TecOccurrence } from './tec-occurrence.entity.js';
import { ZoneDataWarning } from './zone-data-warning.service.js';

/** The event resource, which links all others; plugins may import its service. */
@Module({
  imports: [
    WordPressModule,
    MediaModule,
    CalendarModule,
    EventTermsModule,
    HttpModule,
    LinkedPostsModule,
    VenuesModule,
    ResourceModule.forFeature(EVENT),
    TypeOrmModule.forFeature([TecEvent, TecOccurrence]),
  ],
  controllers: [EventsController],
  providers: [
    EventsService,
    EventLoader,
    EventIndexService,
    Occurrences,
    Recurrences,
    {
      provide: SearchFilter,
      inject: [Database, TableVersions, Metrics],
      useFactory: (database: Database, changes: TableVersions, metrics: Metrics) =>
        new SearchFilter(EVENT.type, database, changes, metrics),
    },
    EventWriter,
    EventTablesService,
    EventSeries,
    SeriesCopy,
    SeriesHorizon,
    SeriesWriter,
    MissingDatesWarning,
    ZoneDataWarning,
  ],
  exports: [EventsService, EventSeries, EventWriter, Occurrences, Recurrences, SeriesHorizon],
})
export class EventsModule {}
