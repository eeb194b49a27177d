import { Controller, Get } from '@nestjs/common';
import sql from 'sql-template-tag';
import { CORE_NAMESPACE } from '../config/env.js';
import { Database } from '../database/database.js';
import { forbidden } from '../common/errors/rest-exception.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { inList } from '../wordpress/posts/post-rows.js';
import { SITE_OPTIONS, toSettingsResponse } from './settings.response.js';

/** The site's settings, for users who manage options. */
@Undocumented()
@Controller(`${CORE_NAMESPACE}/settings`)
export class SettingsController {
  constructor(private readonly database: Database) {}

  @Get()
  async get(@Context() { access, settings }: RequestContext) {
    if (!access.can('manage_options')) throw forbidden('You may not see the settings of this site.');
    const rows = await this.database.query<{ name: string; value: string }>(
      sql`SELECT o.option_name AS name, o.option_value AS value FROM ${this.database.table('options')} o
          WHERE ${inList(sql`o.option_name`, SITE_OPTIONS)}`,
    );
    const options = new Map(rows.map(({ name, value }) => [name, value]));
    return toSettingsResponse(options, settings.render.locale);
  }
}
