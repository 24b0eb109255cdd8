// Where the sample data is stored; apart from the texts, which are loaded on demand.
export const SAMPLE_INDEX = 'sample-harbour';
export const SAMPLE_NAMESPACE = 'sample-mara';
