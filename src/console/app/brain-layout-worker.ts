// Computes the layout of the graph of the Brain page away from the page's thread.
export {};
