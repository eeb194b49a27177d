import { Module } from '@nestjs/common';
import { MediaModule } from '../wordpress/media/media.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { PostPresenter } from './post-presenter.js';
import { PostResourceTools } from './post-resource-tools.js';

/** What the services of all resources are made of. */
@Module({
  imports: [WordPressModule, MediaModule],
  providers: [PostPresenter, PostResourceTools],
  exports: [PostPresenter, PostResourceTools],
})
export class ResourcesModule {}
