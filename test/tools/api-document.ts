// The API document, OpenAPI 3.1, with the parts that tests read.

/** The keywords of the document's schemas that determine valid values. */
export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly additionalProperties?: boolean | ApiSchema;
  readonly items?: ApiSchema;
  readonly anyOf?: readonly ApiSchema[];
}

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: ApiSchema;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly parameters: readonly ApiParameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: ApiSchema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: ApiSchema }>> }>
  >;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> };
}

export function resolveSchema(document: ApiDocument, schema: ApiSchema): ApiSchema {
  return document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
}
