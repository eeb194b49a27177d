import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { EditorController } from './editor/editor.controller.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { PageAssets } from './page-assets.js';

/** Pages for people: the calendar, and the editor of a site without PHP. */
@Module({
  imports: [WordPressModule],
  controllers: [AssetsController, EditorController],
  providers: [PageAssets],
})
export class PagesModule {}
