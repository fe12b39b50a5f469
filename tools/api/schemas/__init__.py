"""The structs of requests and answers; the JSON Schema and the TypeScript types are made from them."""
