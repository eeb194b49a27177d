import { Module } from '@nestjs/common';
import { EVENT, EventsModule, IsPostOf, ResourceModule } from 'almanac';
import { IsIn } from 'class-validator';
import { SeriesController } from './series.controller.js';
import { SeriesService } from './series.service.js';
import { SERIES } from './series-type.js';

const SEASONS = ['spring', 'summer', 'autumn', 'winter'];
const checks = [IsIn(SEASONS)];
const season = { meta: '_acme_season', type: 'string', description: 'When.', checks, filter: true } as const;

/** The series that an event belongs to; one that the caller may not read does not exist. */
const series = {
  meta: '_acme_series',
  type: 'integer',
  description: 'Id of the series that the event belongs to.',
  checks: [IsPostOf(SERIES.type, 'series')],
  filter: true,
} as const;

/** The plugin: `PLUGINS=almanac-example-series`. */
@Module({
  imports: [
    EventsModule,
    ResourceModule.forFeature(SERIES),
    ResourceModule.withFields(SERIES, { season }),
    ResourceModule.withFields(EVENT, { series }),
  ],
  controllers: [SeriesController],
  providers: [SeriesService],
})
export default class SeriesModule {}
