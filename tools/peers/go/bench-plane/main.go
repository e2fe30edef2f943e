// A go-control-plane for benchmarks: it serves one snapshot to every client and records the ACKs of the current client.
// It executes the commands on its standard input; see tools/bench/peers/plane.ts.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"net"
	"os"
	"strconv"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/server/v3"
	"google.golang.org/grpc"
)

// All clients share one node, and so one snapshot.
type sameNode struct{}

func (sameNode) ID(*core.Node) string { return "bench" }

type command struct {
	Op    string
	Type  string
	Times int
	// Updates per second; with 0, each waits for the ACK of the previous one.
	Rate float64
}

func main() {
	count, endpoints := number(os.Args[1]), number(os.Args[2])
	snapshots := cache.NewSnapshotCache(false, sameNode{}, nil)
	clientState := newClientState(count)
	plane := &plane{mesh: newMesh(count, endpoints), snapshots: snapshots, clientState: clientState}
	plane.publish()

	// Clients that subscribe to many names send long requests.
	grpcServer := grpc.NewServer(grpc.MaxRecvMsgSize(1 << 30))
	discovery.RegisterAggregatedDiscoveryServiceServer(grpcServer, server.NewServer(context.Background(), snapshots, clientState.callbacks()))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go grpcServer.Serve(listener)

	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]int{"port": listener.Addr().(*net.TCPAddr).Port})
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var c command
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			log.Fatal(err)
		}
		out.Encode(plane.execute(c))
	}
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		log.Fatal(err)
	}
	return n
}
