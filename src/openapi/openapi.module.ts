import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { HttpModule } from '../http/http.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { DocsController } from './docs.controller.js';
import { IndexController } from './index.controller.js';
import { IndexService } from './index.service.js';
import { OpenApiService } from './openapi.service.js';
import { RootController } from './root.controller.js';
import { RouteTable } from './route-table.js';

/** Namespace indexes, OPTIONS, the OpenAPI documents and the page that shows them. */
@Module({
  imports: [AuthModule, DiscoveryModule, HttpModule, WordPressModule],
  controllers: [RootController, IndexController, DocsController],
  providers: [IndexService, OpenApiService, RouteTable],
})
export class OpenApiModule {}
