import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress.module.js';
import { AttachmentWriter } from './attachment-writer.service.js';
import { ImageImport } from './image-import.js';
import { SafeFetch } from './safe-fetch.js';

@Module({
  imports: [WordPressModule],
  providers: [AttachmentWriter, ImageImport, { provide: SafeFetch, useFactory: () => new SafeFetch() }],
  exports: [AttachmentWriter, ImageImport, SafeFetch],
})
export class MediaModule {}
