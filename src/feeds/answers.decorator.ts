import { applyDecorators, SetMetadata } from '@nestjs/common';

/**
 * Says in `/openapi.json` what a route is called, and what it answers that is no JSON. What Swagger's own decorators set; Swagger itself is not loaded
 * before its document is asked for.
 */
export const Answers = (type: string, operationId: string, summary: string): MethodDecorator =>
  applyDecorators(
    SetMetadata('swagger/apiUseTags', ['feeds']),
    SetMetadata('swagger/apiOperation', { operationId, summary }),
    SetMetadata('swagger/apiResponse', {
      200: { description: summary, content: { [type]: { schema: { type: 'string' } } } },
    }),
  );
