import { applyDecorators, SetMetadata } from '@nestjs/common';

/**
 * Documents a route with a response other than JSON for `/openapi.json`. It sets the metadata of Swagger's decorators,
 * since Swagger itself is loaded on demand.
 */
export const DocumentedResponse = (type: string, operationId: string, summary: string): MethodDecorator =>
  applyDecorators(
    SetMetadata('swagger/apiUseTags', ['feeds']),
    SetMetadata('swagger/apiOperation', { operationId, summary }),
    SetMetadata('swagger/apiResponse', {
      200: { description: summary, content: { [type]: { schema: { type: 'string' } } } },
    }),
  );
