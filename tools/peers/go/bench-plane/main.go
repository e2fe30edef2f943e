// A go-control-plane that benchmarks drive: one snapshot for every client, and a record of what the last client has
// acknowledged. Follows the commands on its standard input; see ../../../../../tools/bench/peers/plane.ts.
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

// All clients are one node.
type sameNode struct{}

func (sameNode) ID(*core.Node) string { return "bench" }

type command struct {
	Op    string
	Type  string
	Times int
	// Updates in a second; 0 means that each waits for the acknowledgement of the last.
	Rate float64
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	snapshots := cache.NewSnapshotCache(false, sameNode{}, nil)
	ledger := newLedger(count)
	plane := &plane{mesh: newMesh(count), snapshots: snapshots, ledger: ledger}
	plane.publish()

	// Clients with many names send long requests.
	grpcServer := grpc.NewServer(grpc.MaxRecvMsgSize(1 << 30))
	discovery.RegisterAggregatedDiscoveryServiceServer(grpcServer, server.NewServer(context.Background(), snapshots, ledger.callbacks()))
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
		out.Encode(plane.follow(c))
	}
}
