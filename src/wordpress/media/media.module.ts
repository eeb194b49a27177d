import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress.module.js';
import { ImageImport } from './image-import.js';
import { SafeFetch } from './safe-fetch.js';

@Module({
  imports: [WordPressModule],
  providers: [ImageImport, { provide: SafeFetch, useFactory: () => new SafeFetch() }],
  exports: [ImageImport, SafeFetch],
})
export class MediaModule {}
